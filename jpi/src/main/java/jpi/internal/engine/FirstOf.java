package jpi.internal.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Over as soon as one of several is. */
public final class FirstOf extends Completion {
    private final List<@Nullable Completion> wanted;

    /**
     * Of some.
     *
     * @param wanted null among them: one that was over at once
     */
    public FirstOf(Rank rank, List<@Nullable Completion> wanted) {
        super(rank.mailbox());
        this.wanted = wanted;
    }

    @Override
    public boolean isDone() {
        for (Completion one : wanted) {
            if (one == null || one.isDone()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String description() {
        StringBuilder text = new StringBuilder();
        for (Completion one : wanted) {
            if (one != null) {
                text.append(text.isEmpty() ? "" : ", or ").append(one.description());
            }
        }
        return text.toString();
    }
}
