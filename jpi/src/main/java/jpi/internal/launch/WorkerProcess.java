package jpi.internal.launch;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import jpi.internal.engine.Layout;
import jpi.internal.engine.Usage;
import jpi.internal.launch.ControlMessage.Exiting;
import jpi.internal.launch.ControlMessage.Standing;
import org.jspecify.annotations.Nullable;

/** What the master knows of a worker. Used by the thread of the {@link Session} only. */
final class WorkerProcess {
    private final Layout layout;
    private final int number;
    private final Process process;
    private @Nullable ControlChannel channel;
    private @Nullable Exiting exiting;
    private @Nullable Standing standing;
    private OptionalInt exitCode = OptionalInt.empty();
    private boolean joined;
    private boolean ended;
    private boolean disconnected;
    private @Nullable List<Usage> statistics;

    WorkerProcess(Layout layout, int number, Process process) {
        this.layout = layout;
        this.number = number;
        this.process = process;
    }

    /** From 0. */
    int number() {
        return number;
    }

    /** For people: {@code worker 1 (ranks 2 to 3, pid 4711)}. */
    @Override
    public String toString() {
        int first = layout.first(number);
        int last = layout.first(number + 1) - 1;
        return "worker " + number + " (" + (first == last ? "rank " + first : "ranks " + first + " to " + last)
                + ", pid " + process.pid() + ")";
    }

    void connect(ControlChannel made) {
        channel = made;
    }

    /** Says something to it; one that has gone meanwhile need not hear it. False if it has never been connected. */
    boolean tell(ControlMessage message) {
        if (channel == null) {
            return false;
        }
        try {
            channel.send(message);
        } catch (IOException e) {
            // It has gone, and how it ended will be known soon.
        }
        return true;
    }

    void join() {
        joined = true;
    }

    boolean joined() {
        return joined;
    }

    void end() {
        ended = true;
    }

    /** Whether all its ranks have. */
    boolean ended() {
        return ended;
    }

    void exiting(Exiting word) {
        exiting = word;
    }

    Optional<Exiting> exiting() {
        return Optional.ofNullable(exiting);
    }

    void bye(List<Usage> given) {
        statistics = given;
    }

    /** What it sent with its last word; empty if it has not said that. */
    Optional<List<Usage>> statistics() {
        return Optional.ofNullable(statistics);
    }

    void disconnect() {
        disconnected = true;
    }

    void exit(int code) {
        exitCode = OptionalInt.of(code);
    }

    int exitCode() {
        return exitCode.orElseThrow();
    }

    /** Whether it has ended, and all that it said has been heard. */
    boolean gone() {
        return exitCode.isPresent() && (channel == null || disconnected);
    }

    void ask() {
        standing = null;
        var _ = tell(new ControlMessage.CensusRequest());
    }

    void answer(Standing given) {
        standing = given;
    }

    Optional<Standing> standing() {
        return Optional.ofNullable(standing);
    }

    void kill() {
        var _ = process.destroyForcibly();
    }
}
