package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.LedgerReading;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingException;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A stock JVM with the agent, whose threads do what a test says: target-programs/Actors.java. */
final class ActorsJvm implements AutoCloseable {
    /** Bounds what hangs, real-time spinners above all. */
    private static final String LIMIT = "40";

    private final Program program;
    private final long pid;
    private int orders;

    private ActorsJvm(List<String> command) {
        program = Program.start(command);
        pid = Long.parseLong(awaitAnswer("pid"));
    }

    /**
     * How a JVM is launched.
     *
     * @param before commands that become the JVM, such as {@code taskset -c 1}
     */
    record Launch(int jdk, String agentOptions, List<String> before, List<String> jvmArguments) {
        static Launch of(int jdk, String agentOptions) {
            return new Launch(jdk, agentOptions, List.of(), List.of());
        }

        /** The agent's options, and no runaway guard unless they ask for it: spinners are meant here. */
        private String options() {
            return agentOptions.contains("runaway-limit=") ? agentOptions : agentOptions + ",runaway-limit=0";
        }

        Launch by(String... words) {
            List<String> longer = new ArrayList<>(before);
            longer.addAll(List.of(words));
            return new Launch(jdk, agentOptions, longer, jvmArguments);
        }

        /** All of it on one CPU, which makes HotSpot choose the Serial collector. */
        Launch onOneCpu() {
            return by("taskset", "-c", Cpus.last());
        }

        Launch with(String... arguments) {
            List<String> longer = new ArrayList<>(jvmArguments);
            longer.addAll(List.of(arguments));
            return new Launch(jdk, agentOptions, before, longer);
        }

        List<String> command(String... mainClassAndArguments) {
            List<String> command = new ArrayList<>(List.of("timeout", "-s", "KILL", LIMIT));
            command.addAll(before);
            command.add(TargetJvm.of(jdk).java());
            if (!agentOptions.equals("no agent")) {
                command.add("-agentpath:" + agent() + "=" + options());
            }
            if (jdk >= 22) {
                command.add("--enable-native-access=ALL-UNNAMED");
            }
            command.addAll(List.of("-Xmx128m", "-Xshare:auto"));
            command.addAll(jvmArguments);
            command.addAll(List.of("-cp", TargetJvm.classes().toString()));
            command.addAll(List.of(mainClassAndArguments));
            return command;
        }

        ActorsJvm start() {
            return new ActorsJvm(command("Actors"));
        }

        Finished run(String... mainClassAndArguments) {
            return Program.run(command(mainClassAndArguments));
        }
    }

    static Path agent() {
        return Archive.home().resolve("lib/libayatori.so");
    }

    static void assumeRealTime() {
        try {
            LinuxThread self = LinuxThread.current();
            SchedulingParameters before = self.get();
            self.set(SchedulingParameters.roundRobin(1));
            self.set(before);
        } catch (SchedulingException e) {
            assumeTrue(false, "needs CAP_SYS_NICE");
        }
    }

    /** The process id of the JVM itself. */
    long pid() {
        return pid;
    }

    /** Gives an order, to be done behind those that the actor has already. */
    int order(String actor, String words) {
        int id = ++orders;
        try {
            program.in().write((id + " " + actor + " " + words + "\n").getBytes(StandardCharsets.UTF_8));
            program.in().flush();
        } catch (IOException e) {
            throw new AssertionError(words, e);
        }
        return id;
    }

    String answer(int order) {
        return awaitAnswer(Integer.toString(order));
    }

    boolean answered(String id) {
        return program.outSoFar().contains("#" + id + "# ");
    }

    /** Waits until a thread of native code has become an actor. */
    void awaitAttached(String actor) {
        awaitAnswer(actor + "-attached");
    }

    /** What was written for an id, waited for. */
    String awaitAnswer(String id) {
        program.awaitOut("#" + id + ".\n");
        String out = program.outSoFar();
        int start = out.indexOf("#" + id + "# ") + id.length() + 3;
        return out.substring(start, out.indexOf(" #" + id + ".\n", start));
    }

    String ask(String actor, String words) {
        return answer(order(actor, words));
    }

    /** Asks, and wants this answer. */
    void tell(String actor, String words, String expected) {
        assertEquals(expected, ask(actor, words), actor + ": " + words);
    }

    void start(String parent, String name, int priority) {
        tell(parent, "start " + name + " " + priority, "started");
    }

    /** The kernel's thread id and level as the actor found them when it began. */
    Born born(String actor) {
        return Born.of(ask(actor, "born"));
    }

    /** An actor's Linux thread, and the level at the first instruction of its run(). */
    record Born(int tid, SchedulingParameters level) {
        static Born of(String answer) {
            String[] words = answer.split(" ");
            int value = Integer.parseInt(words[2]);
            SchedulingParameters level = switch (SchedulingPolicy.ofLinuxValue(Integer.parseInt(words[1]))) {
                case RR -> SchedulingParameters.roundRobin(value);
                case FIFO -> SchedulingParameters.fifo(value);
                case OTHER -> SchedulingParameters.other(value);
                default -> throw new AssertionError(answer);
            };
            return new Born(Integer.parseInt(words[0]), level);
        }
    }

    /** What the kernel has. */
    static SchedulingParameters level(int tid) {
        return LinuxThread.of(tid).get().withResetOnFork(false);
    }

    /** What the kernel has for each thread of the JVM, by the kernel's name for it and its id. */
    Map<String, SchedulingParameters> levels() {
        Map<String, SchedulingParameters> levels = new TreeMap<>();
        for (LinuxThread thread : LinuxThread.ofProcess((int) pid)) {
            try {
                levels.put(thread.name() + " " + thread.id(), thread.get().withResetOnFork(false));
            } catch (SchedulingException e) {
                continue; // has ended since
            }
        }
        return levels;
    }

    /** The id of the thread that the ledger has under a name. */
    int tid(String name) {
        List<LedgerReading> named = LedgerReading.of(pid).stream()
                .filter(thread -> thread.name().equals(name))
                .toList();
        assertEquals(1, named.size(), name + " in " + LedgerReading.of(pid));
        return named.getFirst().tid();
    }

    /** Every thread that the ledger lists stands where it should, owed nothing. */
    void assertNothingLeftBehind() {
        Waiting.until(() -> "not at rest: " + restless(), () -> restless().isEmpty());
    }

    private List<String> restless() {
        List<String> restless = new ArrayList<>();
        for (LedgerReading thread : LedgerReading.of(pid)) {
            String level;
            try {
                level = level(thread.tid()).toString();
            } catch (SchedulingException e) {
                level = "ended"; // the ledger will soon know
            }
            if (thread.dues() != 0
                    || thread.errno() != 0
                    || !level.equals(thread.wanted().toString())) {
                restless.add(thread + " is at " + level);
            }
        }
        return restless;
    }

    /** Sends a signal to the JVM itself. */
    void signal(String name) {
        Finished kill = Program.run(List.of("kill", "-s", name, Long.toString(pid)));
        assertEquals(0, kill.exit(), kill.err());
    }

    /** Waits for an end that has other causes. */
    Finished awaitEnd() {
        return program.end();
    }

    /** Ends standard input, and with it the JVM, which is to have said nothing of itself. */
    Finished end() {
        Finished finished = program.end();
        assertEquals(0, finished.exit(), finished.err());
        return finished;
    }

    @Override
    public void close() {
        program.close();
    }
}
