package jpi.internal.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;

/** Where what several processes print comes together, byte for byte. */
final class MergedOutput {
    private final OutputStream target;
    private final Consumer<IOException> trouble;

    /** @param trouble gets what goes wrong in writing; what comes after that is dropped, so that nobody blocks */
    MergedOutput(OutputStream target, Consumer<IOException> trouble) {
        this.target = target;
        this.trouble = trouble;
    }

    /** Writes what stays together. */
    synchronized void write(byte[] bytes, int length) {
        try {
            target.write(bytes, 0, length);
            target.flush();
        } catch (IOException e) {
            trouble.accept(e);
        }
    }
}
