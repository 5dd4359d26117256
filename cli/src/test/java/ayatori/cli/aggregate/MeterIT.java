package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code ayatori aggregate meter} of JVMs whose threads give way to each other on one CPU: target-programs/Yielders.java. */
class MeterIT {
    private static final int MANY = 1000;

    private static void needs() {
        assumeTrue("root".equals(System.getProperty("user.name")), "BPF needs root");
        assumeTrue(Files.isReadable(Path.of("/sys/kernel/btf/vmlinux")), "this kernel has no BTF");
    }

    private static Program yielders(int threads) throws IOException {
        int cpu = Sched.getAffinity(0).length() - 1; // the last that this process may use
        List<String> command = new ArrayList<>(List.of("taskset", "-c", "" + cpu));
        command.addAll(TargetJvm.of(25).plain("Yielders", "" + threads));
        Program jvm = Program.start(command);
        jvm.awaitOut("ready\n");
        return jvm;
    }

    /** All switches that the kernel has counted of a process, of its threads that are there. */
    private static long switches(long pid) throws IOException {
        Pattern line = Pattern.compile("(?m)^(?:non)?voluntary_ctxt_switches:\\s+(\\d+)$");
        long sum = 0;
        try (var tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                Matcher counts = line.matcher(Files.readString(task.resolve("status")));
                while (counts.find()) {
                    sum += Long.parseLong(counts.group(1));
                }
            }
        }
        return sum;
    }

    /** What the meter says of a process. */
    private record Counted(long switches, long entries, long delays) {
        static Counted of(String json, long pid) {
            Matcher process = Pattern.compile(
                            "\"pid\" : " + pid + ",.*?\"switches\" : (\\d+),\\s*\"space_switches\" : (\\d+)"
                                    + ".*?\"delays\" : \\[(.*?)\\]",
                            Pattern.DOTALL)
                    .matcher(json);
            assertTrue(process.find(), json);
            long delays = Pattern.compile("\"count\" : (\\d+)")
                    .matcher(process.group(3))
                    .results()
                    .mapToLong(each -> Long.parseLong(each.group(1)))
                    .sum();
            return new Counted(Long.parseLong(process.group(1)), Long.parseLong(process.group(2)), delays);
        }
    }

    private static Finished meter(String... options) {
        List<String> command = new ArrayList<>(List.of(Archive.command(), "aggregate", "meter", "--for", "2s"));
        command.addAll(List.of(options));
        return Program.run(command);
    }

    @Test
    void twoProcessesOnOneCpuGoIntoEachOthersAddressSpace() throws IOException {
        needs();
        try (Program first = yielders(1);
                Program second = yielders(1)) {
            Finished finished = meter("--json");
            assertEquals(0, finished.exit(), finished.err());
            for (long pid : new long[] {first.pid(), second.pid()}) {
                Counted counted = Counted.of(finished.out(), pid);
                assertTrue(counted.switches() > MANY, counted.toString());
                assertTrue(counted.entries() > counted.switches() / 2, counted.toString());
                assertTrue(counted.delays() > counted.switches() / 2, counted.toString());
            }
        }
    }

    @Test
    void threadsOfOneProcessDoNot() throws IOException {
        needs();
        try (Program jvm = yielders(2)) {
            long before = switches(jvm.pid());
            Finished finished = meter("--json");
            long after = switches(jvm.pid());
            assertEquals(0, finished.exit(), finished.err());
            Counted counted = Counted.of(finished.out(), jvm.pid());
            assertTrue(counted.switches() > MANY, counted.toString());
            assertTrue(counted.entries() < counted.switches() / 10, counted.toString());
            assertTrue(counted.switches() <= after - before, counted + ", the kernel counts " + (after - before));
        }
    }

    @Test
    void aChildByVforkCountsWithItsParent() throws IOException {
        needs();
        int cpu = Sched.getAffinity(0).length() - 1;
        String loads = Path.of(System.getProperty("ayatori.root", ".."))
                .resolve("native/build/aggregate/loads")
                .toString();
        try (Program parent = Program.start(List.of("taskset", "-c", "" + cpu, loads, "vfork", "4"))) {
            Finished finished = meter("--json");
            assertEquals(0, finished.exit(), finished.err());
            Counted counted = Counted.of(finished.out(), parent.pid());
            assertTrue(counted.switches() > MANY, counted.toString());
            assertTrue(counted.entries() < counted.switches() / 10, counted.toString());
            String child = parent.end().out().strip().split(" ")[1];
            assertFalse(finished.out().contains("\"pid\" : " + child + ","), finished.out());
        }
    }

    @Test
    void theTableNamesCpusProcessesAndTheScheduler() throws IOException {
        needs();
        try (Program jvm = yielders(1)) {
            Finished finished = meter();
            assertEquals(0, finished.exit(), finished.err());
            String text = finished.out();
            assertTrue(text.startsWith("counted 2.0 s under "), text);
            assertTrue(
                    text.contains(Files.readString(Path.of("/proc/sys/kernel/osrelease"))
                            .strip()),
                    text);
            assertTrue(
                    Pattern.compile("(?m)^CPU +SWITCH/s +USER/s +SPACE/s +PER SWITCH$")
                            .matcher(text)
                            .find(),
                    text);
            assertTrue(
                    Pattern.compile("(?m)^ *" + jvm.pid() + "  java ")
                            .matcher(text)
                            .find(),
                    text);
        }
    }

    @Test
    void whoMayNotIsToldWhatItTakes() {
        needs();
        Finished finished = Program.run(TargetJvm.asNobody(List.of(Archive.command(), "aggregate", "meter")));
        assertEquals(2, finished.exit(), finished.out());
        assertTrue(
                finished.err().startsWith("ayatori aggregate meter: loading the meter into the kernel: "),
                finished.err());
        assertTrue(finished.err().contains("be root, or have CAP_BPF and CAP_PERFMON"), finished.err());
        assertEquals(1, finished.err().lines().count(), finished.err());
    }
}
