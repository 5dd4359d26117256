package jpi.internal.launch;

import java.io.IOException;

/** What happens to a {@link Session}. */
sealed interface SessionEvent {
    int NO_WORKER = -1;

    /** The worker that it happens to. */
    int worker();

    /** A worker has said who it is. */
    record Connected(int worker, ControlChannel channel) implements SessionEvent {}

    /** It has said something. */
    record Received(int worker, ControlMessage said) implements SessionEvent {}

    /** It will say nothing more. */
    record Disconnected(int worker) implements SessionEvent {}

    /** Its process has ended. */
    record Exited(int worker, int code) implements SessionEvent {}

    /** The master's standard output takes nothing more. */
    record OutputLost(IOException why) implements SessionEvent {
        @Override
        public int worker() {
            return NO_WORKER;
        }
    }
}
