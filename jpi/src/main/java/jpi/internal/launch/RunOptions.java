package jpi.internal.launch;

import ayatori.sched.PriorityLadder.Policy;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jpi.internal.engine.Layout;
import jpi.internal.objects.Serialisation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of {@code java jpi.JRun}. */
@Command(
        name = "java jpi.JRun",
        header = "Runs a parallel program: each of its ranks is a thread in one of several JVMs, the workers.",
        customSynopsis = "java jpi.JRun [OPTION...] CLASS [ARGUMENT...]",
        description = {
            "",
            "CLASS extends jpi.JApplication; each rank makes one and calls its Jmain with the ARGUMENTs. Of any other class",
            "each rank calls main.",
            "",
        },
        footer = {
            "",
            "Exit code: 0 if all ranks have returned from Jmain; that of System.exit in a rank; 1 if one has failed; 2 if"
                    + " nothing was run.",
        },
        versionProvider = RunOptions.Version.class,
        separator = " ",
        sortOptions = false)
final class RunOptions implements Callable<Integer> {
    /** Exit code for a mistake of the user's. */
    static final int MISTAKE = 2;

    private final ToIntFunction<Job> runner;

    @Option(
            names = "-mf",
            paramLabel = "FILE",
            converter = FileConverter.class,
            description = "The machines to run on, one worker a line; so far all of them this one.")
    private @Nullable Path machineFile;

    @Option(
            names = "-np",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "N workers on this machine (default: 1).")
    private @Nullable Integer workers;

    @Option(
            names = "-nt",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "N ranks, spread over the workers (default: one a worker).")
    private @Nullable Integer ranks;

    @Option(names = "-vt", description = "Ranks are virtual threads.")
    private boolean virtual;

    @Option(names = "-l", description = "Each line of output begins with its rank, as in [3].")
    private boolean labels;

    @Option(
            names = "-J",
            paramLabel = "OPTION",
            description = "An option of the workers' JVMs, as in -J-Xmx1g; as often as needed.")
    private List<String> jvmOptions = new ArrayList<>();

    @Option(
            names = "-policy",
            paramLabel = "POLICY",
            converter = PolicyConverter.class,
            description = "Workers run under Ayatori's agent, which makes the kernel obey Java priorities: none, nice,"
                    + " static or mixed.")
    private @Nullable Policy policy;

    @Option(
            names = "-serial",
            paramLabel = "HOW",
            converter = SerialisationConverter.class,
            description = "How objects travel between workers: fory (default), or java for classes that rely on Java's"
                    + " serialisation.")
    private Serialisation serialisation = Serialisation.FORY;

    @Option(names = "-check", description = "Collective operations are checked for ranks that do not agree.")
    private boolean checking;

    @Option(
            names = "-stats",
            description =
                    "A table at the end: messages and bytes that each rank has sent and taken, and how long it has waited.")
    private boolean statistics;

    @Option(
            names = "-trace",
            paramLabel = "FILE",
            converter = FileConverter.class,
            description =
                    "Writes a timeline of all ranks: JSON in the Trace Event Format, which ui.perfetto.dev opens.")
    private @Nullable Path trace;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    @Option(
            names = {"-version", "--version"},
            versionHelp = true,
            description = "Prints the version.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean version;

    @Parameters(paramLabel = "CLASS", arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    private RunOptions(ToIntFunction<Job> runner) {
        this.runner = runner;
    }

    /** The command, which has the job run by the function and ends with its result. */
    static CommandLine commandLine(ToIntFunction<Job> runner) {
        CommandLine line = new CommandLine(new RunOptions(runner));
        line.setStopAtPositional(true);
        line.setExpandAtFiles(false); // words that begin with @ are the program's own
        line.setParameterExceptionHandler((mistake, _) -> tell(line, sentence(mistake)));
        line.setExecutionExceptionHandler(RunOptions::failure);
        return line;
    }

    @Override
    public Integer call() {
        return runner.applyAsInt(job());
    }

    private Job job() {
        for (String option : jvmOptions) { // first: it may be the class, behind a space
            if (!option.startsWith("-")) {
                throw new UserMistake(
                        "'" + option + "' behind -J is no option of a JVM: write one without a space and with"
                                + " its dash, as in -J-Xmx1g");
            }
        }
        if (words.isEmpty()) {
            throw new UserMistake("no class given: name the one that extends jpi.JApplication");
        }
        return new Job(
                layout(),
                virtual,
                labels,
                checking,
                statistics,
                serialisation,
                Optional.ofNullable(trace),
                List.copyOf(jvmOptions),
                Optional.ofNullable(policy),
                words.getFirst(),
                List.copyOf(words.subList(1, words.size())));
    }

    /** A machine file may name more machines than are needed; whoever asks for a number of workers gets it. */
    private Layout layout() {
        if (machineFile != null) {
            if (workers != null) {
                throw new UserMistake("-np " + workers + " and -mf " + machineFile
                        + " both say how many workers there are: give one of them");
            }
            int named = MachineFile.workers(machineFile);
            int wanted = ranks == null ? named : ranks;
            return new Layout(wanted, Math.min(named, wanted), 0);
        }
        int started = workers == null ? 1 : workers;
        int wanted = ranks == null ? started : ranks;
        if (wanted < started) {
            throw new UserMistake("-nt " + wanted + " leaves some of the " + started
                    + " workers of -np without a rank: give each at least one");
        }
        return new Layout(wanted, started, 0);
    }

    private static String sentence(ParameterException mistake) {
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            return "unknown option '" + unmatched.getUnmatched().getFirst() + "'";
        }
        if (mistake.getCause() instanceof TypeConversionException conversion) {
            return String.valueOf(conversion.getMessage());
        }
        return String.valueOf(mistake.getMessage());
    }

    private static int failure(Exception exception, CommandLine line, ParseResult parsed) throws Exception {
        if (exception instanceof UserMistake mistake) {
            return tell(line, mistake.sentence());
        }
        throw exception;
    }

    private static int tell(CommandLine line, String sentence) {
        PrintWriter err = line.getErr();
        err.println("jpi: " + sentence.lines().findFirst().orElse("") + "; see java jpi.JRun -h");
        err.flush();
        return MISTAKE;
    }

    /** How many of something. */
    static final class CountConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String word) {
            if (word.matches("0*[1-9][0-9]{0,8}")) {
                return Integer.valueOf(word);
            }
            throw new TypeConversionException("no number '" + word + "' of workers or ranks: it is 1 or more");
        }
    }

    /** One with a name: without, it would be the working directory. */
    static final class FileConverter implements ITypeConverter<Path> {
        @Override
        public Path convert(String word) {
            if (word.isEmpty()) {
                throw new TypeConversionException("'' names no file: give -mf and -trace the name of one");
            }
            return Path.of(word);
        }
    }

    /** As {@code ayatori run} names them. */
    static final class PolicyConverter implements ITypeConverter<Policy> {
        @Override
        public Policy convert(String word) {
            return Stream.of(Policy.values())
                    .filter(policy -> AgentLibrary.label(policy).equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("unknown policy '" + word + "': it is one of "
                            + Stream.of(Policy.values())
                                    .map(AgentLibrary::label)
                                    .collect(Collectors.joining(", "))));
        }
    }

    /** As {@link Serialisation#label} has it. */
    static final class SerialisationConverter implements ITypeConverter<Serialisation> {
        @Override
        public Serialisation convert(String word) {
            return Serialisation.of(word)
                    .orElseThrow(() -> new TypeConversionException("unknown serialisation '" + word
                            + "': it is one of "
                            + Stream.of(Serialisation.values())
                                    .map(Serialisation::label)
                                    .collect(Collectors.joining(", "))));
        }
    }

    /** The version that Maven wrote into the module and into the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            Module module = RunOptions.class.getModule();
            Optional<String> version = module.isNamed()
                    ? module.getDescriptor().rawVersion()
                    : Optional.ofNullable(RunOptions.class.getPackage().getImplementationVersion());
            return new String[] {"jpi " + version.orElse("(unknown version)")};
        }
    }
}
