package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.ChildJvm;
import ayatori.sched.Needs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link ExecProbe} becomes the programs. */
class ExecTest {
    @Test
    void theProgramHasTheSameProcessIdAndTheSignalMaskOfTheStart() throws Exception {
        Needs.program("/usr/bin/env");
        ChildJvm.Result result = new ChildJvm("/usr/bin/env", "--block-signal=USR1", "--block-signal=TERM")
                .run(ExecProbe.class, "/bin/grep", "-E", "^(Pid|SigBlk)", "/proc/self/status");
        assertEquals("Pid:\t" + result.pid() + "\nSigBlk:\t0000000000004200\n", result.output());
    }

    @Test
    void theExitCodeIsThePrograms() throws Exception {
        assertEquals(
                7,
                new ChildJvm().run(ExecProbe.class, "/bin/sh", "-c", "exit 7").exitCode());
    }

    @Test
    void whatIsIgnoredStaysIgnored() throws Exception {
        ChildJvm.Result result = new ChildJvm()
                .with("-Dprobe.ignore=1002") // SIGPIPE and SIGINT, both of which HotSpot handles
                .run(ExecProbe.class, "/bin/grep", "^SigIgn", "/proc/self/status");
        long ignored =
                Long.parseUnsignedLong(result.output().replace("SigIgn:", "").strip(), 16);
        assertEquals(0x1002, ignored & 0x1002, result.output()); // others may have been ignored from the start
    }

    @Test
    void whoMayNotCallTheKernelIsToldHowTo() throws Exception {
        ChildJvm.Result result = new ChildJvm().withoutNativeAccess().run(ExecProbe.class, "/bin/true");
        assertTrue(
                result.output().contains("in this JVM: start it with --enable-native-access=ALL-UNNAMED"),
                result.output());
    }

    @Test
    void filesThatAreMarkedAreClosed() throws Exception {
        ChildJvm.Result result = new ChildJvm().run(ExecProbe.class, "/bin/ls", "/proc/self/fd");
        assertEquals("0\n1\n2\n3\n", result.output(), "the standard streams, and the folder that ls reads");
    }

    @Test
    void argumentsAndEnvironmentArriveByteForByte() throws Exception {
        // Under LC_ALL=C a String could not hold what the kernel has here.
        ChildJvm.Result result = new ChildJvm("/usr/bin/env", "LC_ALL=C", "AYATORI_TEST=a b\u00e4")
                .run(
                        ExecProbe.class,
                        "/bin/sh",
                        "-c",
                        "printf '%s|' \"$@\" \"$AYATORI_TEST\"",
                        "sh",
                        "\u00e4",
                        "",
                        "x y");
        byte[] expected = "\u00e4||x y|a b\u00e4|".getBytes(StandardCharsets.UTF_8);
        assertEquals(new String(expected, StandardCharsets.ISO_8859_1), result.output());
    }

    @Test
    void whatIsNoProgramReturnsAndLeavesTheMaskAlone() throws Exception {
        ChildJvm.Result result = new ChildJvm().run(ExecProbe.class, "/no/such/program");
        assertEquals("ENOENT, mask as before: true\n", result.output());
        assertEquals(0, result.exitCode());
    }

    @Test
    void aNulByteIsRefused() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> Exec.replaceProcess(new byte[] {'/', 0, 'x'}, List.of(), List.of(), 0));
        assertTrue(String.valueOf(e.getMessage()).contains("NUL"));
    }

    @Test
    void thisProcessKnowsWhatItWasStartedWith() throws Exception {
        assertFalse(Exec.commandLine().isEmpty());
        assertEquals(0, Exec.primordialSignalMask() & (1L << 8), "SIGKILL cannot be blocked");
    }
}
