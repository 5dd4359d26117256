package ayatori.pool;

import org.jspecify.annotations.Nullable;

/** A link of the stack of sleeping workers. Made anew each time: so a compare-and-set can never mistake an old for a new one. */
record Sleeper(Worker worker, @Nullable Sleeper below) {}
