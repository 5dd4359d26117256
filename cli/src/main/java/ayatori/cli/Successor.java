package ayatori.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of the archive that goes on in place of this JVM, with a command of the user's. */
public final class Successor {
    private Successor() {}

    /**
     * Returns only by an exception: on success this process is the program.
     *
     * @param words its first arguments
     * @param arguments how many of the last arguments of this process are the user's command, which follows those byte for byte
     * @throws UserMistake if the kernel refuses it
     */
    public static int of(Path program, List<String> words, int arguments) {
        Invocation invocation = Invocation.ofThisProcess(arguments);
        String path = RawText.ofPath(program);
        List<String> all = new ArrayList<>(List.of(path));
        all.addAll(words);
        all.addAll(invocation.command());
        throw new UserMistake(ProcessImage.replace(new Launch(path, all, invocation.environment()), invocation));
    }
}
