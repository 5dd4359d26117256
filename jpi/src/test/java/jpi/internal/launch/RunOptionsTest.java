package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.PriorityLadder.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jpi.internal.engine.Layout;
import jpi.internal.objects.Serialisation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RunOptionsTest {
    private final List<Job> jobs = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        CommandLine line = RunOptions.commandLine(job -> {
            jobs.add(job);
            return 0;
        });
        return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    private Job job(String... arguments) {
        assertEquals(0, execute(arguments), err::toString);
        return jobs.getLast();
    }

    private void refused(String sentence, String... arguments) {
        err.getBuffer().setLength(0);
        assertEquals(2, execute(arguments));
        assertEquals("jpi: " + sentence + "; see java jpi.JRun -h\n", err.toString());
        assertTrue(jobs.isEmpty());
    }

    @Test
    void thePapersCommandLine(@TempDir Path folder) throws IOException {
        Path machines = Files.writeString(folder.resolve("machines.smp"), "localhost\n127.0.0.1\n");
        Job job = job("-mf", machines.toString(), "-J-Xmx1024m", "-nt", "2", "PingPong");
        assertEquals(new Layout(2, 2, 0), job.layout());
        assertEquals(List.of("-Xmx1024m"), job.jvmOptions());
        assertEquals("PingPong", job.application());
        assertEquals(List.of(), job.arguments());
    }

    @Test
    void ranksAreSpreadOverWorkers(@TempDir Path folder) throws IOException {
        String machines = Files.writeString(folder.resolve("three"), "localhost\nlocalhost\nlocalhost\n")
                .toString();
        assertEquals(new Layout(1, 1, 0), job("X").layout());
        assertEquals(new Layout(5, 1, 0), job("-nt", "5", "X").layout());
        assertEquals(new Layout(4, 4, 0), job("-np", "4", "X").layout());
        assertEquals(new Layout(5, 2, 0), job("-np", "2", "-nt", "5", "X").layout());
        assertEquals(new Layout(3, 3, 0), job("-mf", machines, "X").layout());
        assertEquals(new Layout(2, 2, 0), job("-mf", machines, "-nt", "2", "X").layout());
    }

    @Test
    void allOptions() {
        Job job = job(
                "-vt",
                "-l",
                "-check",
                "-stats",
                "-trace",
                "a b.json",
                "-policy",
                "static",
                "-serial",
                "java",
                "-J-Da=b c",
                "-J-verbose:gc",
                "-J--add-opens=a/b=c",
                "X");
        assertTrue(job.virtual() && job.labels() && job.checking() && job.statistics());
        assertEquals(Optional.of(Policy.STATIC), job.policy());
        assertEquals(Serialisation.JAVA, job.serialisation());
        assertEquals(Optional.of(Path.of("a b.json")), job.trace());
        assertEquals(List.of("-Da=b c", "-verbose:gc", "--add-opens=a/b=c"), job.jvmOptions());
        Job plain = job("X");
        assertFalse(plain.virtual() || plain.labels() || plain.checking() || plain.statistics());
        assertEquals(Optional.empty(), plain.policy());
        assertEquals(Serialisation.FORY, plain.serialisation());
        assertEquals(Optional.empty(), plain.trace());
    }

    @Test
    void whatFollowsTheClassIsItsOwn() {
        List<String> own = List.of("-nt", "7", "--", "@file", "-h", "", "-J-Xmx1g", "'x'", "\"y z\"", "-unknown");
        List<String> words = new ArrayList<>(List.of("-nt", "2", "a.B"));
        words.addAll(own);
        assertEquals(own, job(words.toArray(String[]::new)).arguments());
        assertEquals(new Layout(2, 1, 0), jobs.getLast().layout());
    }

    @Test
    void mistakesAreToldInOneSentence(@TempDir Path folder) {
        refused("no class given: name the one that extends jpi.JApplication");
        refused("unknown option '-nq'", "-nq", "2", "X");
        refused("no number '0' of workers or ranks: it is 1 or more", "-nt", "0", "X");
        refused("no number '-1' of workers or ranks: it is 1 or more", "-np", "-1", "X");
        refused("no number 'X' of workers or ranks: it is 1 or more", "-nt", "X");
        refused(
                "-nt 2 leaves some of the 4 workers of -np without a rank: give each at least one",
                "-np",
                "4",
                "-nt",
                "2",
                "X");
        refused(
                "-np 4 and -mf " + folder + " both say how many workers there are: give one of them",
                "-np",
                "4",
                "-mf",
                folder.toString(),
                "X");
        refused("unknown policy 'fifo': it is one of none, nice, static, mixed", "-policy", "fifo", "X");
        refused("unknown serialisation 'kryo': it is one of fory, java", "-serial", "kryo", "X");
        for (String file : List.of("-mf", "-trace")) {
            refused("'' names no file: give -mf and -trace the name of one", file, "", "X");
        }
    }

    @Test
    void anOptionOfAJvmHasItsDashAndNoSpace() {
        String remedy = "behind -J is no option of a JVM: write one without a space and with its dash, as in -J-Xmx1g";
        refused("'Xmx1g' " + remedy, "-JXmx1g", "X");
        refused("'X' " + remedy, "-J", "X");
        refused("'' " + remedy, "-J", "", "X");
    }

    @Test
    void helpAndVersionRunNothing() {
        assertEquals(0, execute("-h"));
        assertTrue(out.toString().contains("-mf FILE"), out::toString);
        assertTrue(out.toString().contains("-trace FILE"), out::toString);
        assertEquals(0, execute("-version"));
        assertTrue(out.toString().contains("jpi 0."), out::toString);
        assertTrue(jobs.isEmpty());
    }
}
