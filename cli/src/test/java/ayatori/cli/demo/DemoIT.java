package ayatori.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as users get it, with a short target: orders and shares, no times. */
class DemoIT {
    private static final String TARGET = "350000000";
    private static final int PATIENCE_SECONDS = 180;

    @TempDir
    Path folder = Path.of("unset");

    @Test
    void underStaticThreadsEndInPriorityOrderAndNoLowerOneGetsAhead() throws Exception {
        assumeTrue(Privilege.probe().grants(Privilege.Need.REAL_TIME), "SKIP: needs CAP_SYS_NICE");
        int cpus = Math.min(2, Sched.getAffinity(0).cardinality());
        String output = run(List.of(), "--cpus", cpus == 2 ? "1,2" : "1");
        assertTrue(output.contains("holds: under static on 1 CPU"), output);
        List<Map<String, String>> rows = threads();
        assertEquals(Configuration.ALL.size() * Experiment.THREADS * cpus, rows.size());
        assertEquals(List.of("T4", "T3", "T2", "T1"), endOrder(rows, "static", "1"));
        Map<String, String> firstEnd = row(rows, "static", "1", "T4");
        for (String lower : List.of("t1_at_end", "t2_at_end", "t3_at_end")) {
            assertTrue(Long.parseLong(firstEnd.get(lower)) <= Long.parseLong(TARGET) / 100, firstEnd.toString());
        }
        if (cpus == 2) {
            assertTrue(endOrder(rows, "static", "2").subList(0, 2).containsAll(List.of("T3", "T4")));
        }
        Chromium.need();
        Chromium.assertDraws(
                Files.readString(folder.resolve("out/counters.html")), Configuration.ALL.size() * cpus, folder);
    }

    @Test
    void anOrdinaryUserIsToldWhatCannotBeHad() throws Exception {
        assumeTrue(Sched.geteuid() == 0, "SKIP: needs root, to become another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "SKIP: needs setpriv");
        String output = run(
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"),
                "--cpus",
                "1");
        assertTrue(output.contains("ayatori static: not to be had here: RR 29 refused (EPERM)"), output);
        assertEquals(
                List.of("stock-0", "none"),
                threads().stream()
                        .map(row -> row.get("configuration"))
                        .distinct()
                        .toList());
    }

    private String run(List<String> prefix, String... arguments) throws IOException, InterruptedException {
        String archive = System.getProperty("ayatori.archive", "");
        assumeTrue(Files.isReadable(Path.of(archive)), "SKIP: needs the archive: make dist");
        // Another user must be able to read it.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        execute(List.of("tar", "-xzf", archive, "--strip-components=1", "-C", folder.toString()));
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(folder.resolve("bin/ayatori").toString(), "demo", "--target", TARGET));
        command.addAll(List.of("--out", folder.resolve("out").toString()));
        command.addAll(List.of(arguments));
        return execute(command);
    }

    private String execute(List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertEquals(0, process.waitFor(), text);
        return text;
    }

    private List<Map<String, String>> threads() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("out/threads.csv"));
        String[] names = lines.getFirst().split(",");
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            Map<String, String> row = new HashMap<>();
            String[] values = line.split(",");
            for (int column = 0; column < names.length; column++) {
                row.put(names[column], values[column]);
            }
            rows.add(row);
        }
        return rows;
    }

    private static Map<String, String> row(
            List<Map<String, String>> rows, String configuration, String cpus, String thread) {
        return rows.stream()
                .filter(row -> configuration.equals(row.get("configuration")) && cpus.equals(row.get("cpus")))
                .filter(row -> thread.equals(row.get("thread")))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> endOrder(List<Map<String, String>> rows, String configuration, String cpus) {
        return rows.stream()
                .filter(row -> configuration.equals(row.get("configuration")) && cpus.equals(row.get("cpus")))
                .sorted(java.util.Comparator.comparingLong(row -> Long.parseLong(row.get("ended_ns"))))
                .map(row -> row.get("thread"))
                .toList();
    }
}
