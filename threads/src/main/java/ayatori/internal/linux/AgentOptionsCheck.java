package ayatori.internal.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Asks libayatori.so, loaded into this JVM as a plain library, what it would say of options: the agent has the one reader
 * of its options and rules.
 */
@SuppressWarnings("restricted")
public final class AgentOptionsCheck {
    private static final String FUNCTION = "ayatori_options_check";
    private static final int MESSAGE_SIZE = 8192;

    private AgentOptionsCheck() {}

    /**
     * What is wrong with options. Files that they name are read; nothing is applied.
     *
     * @param library the agent
     * @param options the text after {@code -agentpath:LIB=}, as bytes
     * @return one sentence, as bytes; empty if the agent would take them
     * @throws IllegalStateException if the library is not the agent of this release
     */
    public static Optional<byte[]> mistakeIn(Path library, byte[] options) {
        try (Arena arena = Arena.ofConfined()) {
            // Never unloaded: it has thread-local variables.
            MemorySegment function = SymbolLookup.libraryLookup(library, Arena.global())
                    .find(FUNCTION)
                    .orElseThrow(() -> new IllegalStateException(library + " has no function " + FUNCTION
                            + ": use agent and command from the same release"));
            MethodHandle check = Linker.nativeLinker()
                    .downcallHandle(
                            function,
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.JAVA_LONG));
            MemorySegment text = arena.allocate(options.length + 1L);
            MemorySegment.copy(options, 0, text, ValueLayout.JAVA_BYTE, 0, options.length);
            MemorySegment message = arena.allocate(MESSAGE_SIZE);
            if ((int) check.invokeExact(text, message, (long) MESSAGE_SIZE) == 0) {
                return Optional.empty();
            }
            byte[] bytes = message.toArray(ValueLayout.JAVA_BYTE);
            int length = 0;
            while (bytes[length] != 0) {
                length++;
            }
            return Optional.of(Arrays.copyOf(bytes, length));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalStateException(library + " cannot be asked for mistakes in its options", e);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }
}
