package ayatori.cli;

import ayatori.cli.aggregate.AggregateCommand;
import ayatori.cli.apply.ApplyCommand;
import ayatori.cli.apply.RestoreCommand;
import ayatori.cli.demo.DemoCommand;
import ayatori.cli.doctor.DoctorCommand;
import ayatori.cli.top.TopCommand;
import ayatori.cli.why.WhyCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code ayatori}. */
@Command(
        name = "ayatori",
        header = "Java thread priorities that the Linux kernel obeys.",
        versionProvider = Version.class,
        subcommands = {
            RunCommand.class,
            ApplyCommand.class,
            RestoreCommand.class,
            PsCommand.class,
            TopCommand.class,
            WhyCommand.class,
            AggregateCommand.class,
            DoctorCommand.class,
            DemoCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "See ayatori COMMAND --help."})
public final class Ayatori implements Runnable {
    /** Exit code for a mistake of the user's. */
    static final int MISTAKE = 2;
    /** As of a program that SIGPIPE ended, in a shell. */
    private static final int BROKEN_PIPE = 128 + 13;

    @Spec
    private @Nullable CommandSpec spec;

    private Ayatori() {}

    /** @param arguments see {@code ayatori --help} */
    public static void main(String[] arguments) {
        int code = commandLine().execute(arguments);
        if (System.out.checkError()) { // print streams keep that to themselves
            String why = whyNotWritten();
            if (why.contains("Broken pipe")) {
                System.exit(BROKEN_PIPE); // as of `| head`, which has all that it wants
            }
            System.err.println(
                    "ayatori: standard output could not be written" + why + ": what was printed is not complete");
            code = MISTAKE;
        }
        System.exit(code);
    }

    /** What the kernel says to one more write. */
    private static String whyNotWritten() {
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write('\n');
            return "";
        } catch (IOException e) {
            return " (" + e.getMessage() + ")";
        }
    }

    /** The whole command, for {@link #main} and for the tests. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Ayatori());
        // Words that begin with @ are the program's own.
        line.setExpandAtFiles(false);
        stopAtCommand(line);
        stopAtCommand(Objects.requireNonNull(line.getSubcommands().get("aggregate")));
        line.setParameterExceptionHandler(Ayatori::mistake);
        line.setExecutionExceptionHandler(Ayatori::failure);
        return line;
    }

    /** What follows its command is the command's. */
    private static void stopAtCommand(CommandLine line) {
        Objects.requireNonNull(line.getSubcommands().get("run")).setStopAtPositional(true);
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "no command given");
        }
    }

    /** A subcommand's own mistakes begin with its name, as in {@code ayatori run: no command given}. */
    private static int mistake(ParameterException exception, String[] arguments) {
        String message = String.valueOf(exception.getMessage());
        if (exception instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            boolean command = !exception.getCommandLine().getSubcommands().isEmpty();
            message = (word.startsWith("-") ? "unknown option" : command ? "unknown command" : "one argument too many:")
                    + " '" + word + "'";
        } else if (exception.getCause() instanceof TypeConversionException conversion) {
            message = String.valueOf(conversion.getMessage());
        }
        return tell(exception.getCommandLine(), message);
    }

    private static int failure(Exception exception, CommandLine line, ParseResult parsed) throws Exception {
        if (exception instanceof UserMistake) {
            return tell(line, String.valueOf(exception.getMessage()));
        }
        throw exception;
    }

    private static int tell(CommandLine line, String message) {
        PrintWriter err = line.getErr();
        String name = line.getCommandSpec().qualifiedName();
        err.println(name + ": " + message.lines().findFirst().orElse("") + "; see " + name + " --help");
        err.flush();
        return MISTAKE;
    }
}
