package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MachineFileTest {
    private static int workers(String text) {
        return MachineFile.workers("machines.smp", text, "node0.cluster");
    }

    private static String refusal(String text) {
        return assertThrows(UserMistake.class, () -> workers(text)).sentence();
    }

    private static String refusal(Path file) {
        return assertThrows(UserMistake.class, () -> MachineFile.workers(file)).sentence();
    }

    @Test
    void eachLineIsAWorkerOnThisMachine() {
        assertEquals(7, workers("""
                # two CPUs
                localhost

                LOCALHOST   # again
                  127.0.0.1
                127.3.2.254
                ::1
                node0.cluster
                node0"""));
    }

    @Test
    void aFileMayComeFromAnySystemsEditor() {
        assertEquals(2, workers("\uFEFFlocalhost\r\n127.0.0.1\r\n"));
    }

    @Test
    void anotherMachineIsRefusedWithItsLine() {
        assertEquals(
                "line 3 of machines.smp names 'node7', which is not this machine: workers run here only, one for"
                        + " each line, so write localhost or node0.cluster",
                refusal("localhost\n\nnode7 # of the cluster\n"));
    }

    @Test
    void numbersThatAreNoLoopbackAddressAreAnotherMachine() {
        for (String name : new String[] {"128.0.0.1", "127.0.0.256", "127.0.0", "127.0.0.1.1", "::2", "localhost:2"}) {
            assertTrue(refusal(name).contains("'" + name + "', which is not this machine"), name);
        }
    }

    @Test
    void aFileWithoutMachinesIsRefused() {
        assertEquals(
                "the machine file machines.smp names no machine: write one a line, such as localhost",
                refusal("# none\n\n"));
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        assertEquals(
                "the machine file /nowhere/machines cannot be read (there is no such file): name another with -mf",
                refusal(Path.of("/nowhere/machines")));
        assertEquals(
                "the machine file /proc cannot be read (it is a folder): name another with -mf",
                refusal(Path.of("/proc")));
    }
}
