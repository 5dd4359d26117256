package jpi.internal.engine;

import org.jspecify.annotations.Nullable;

/** What is told of the communicator of a message: its name, and which ranks it has. */
public final class Communicator {
    private volatile String name;
    /** Numbers in the whole program, by rank; null: the same. */
    private final int @Nullable [] numbers;

    Communicator(String name, int @Nullable [] numbers) {
        this.name = name;
        this.numbers = numbers;
    }

    /** Its name, for messages. */
    public String name() {
        return name;
    }

    /** Gives it another. */
    public void rename(String newName) {
        name = newName;
    }

    /** Number of one of its ranks in the whole program. */
    int number(int member) {
        return numbers == null ? member : numbers[member];
    }
}
