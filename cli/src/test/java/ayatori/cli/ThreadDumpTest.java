package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadDumpTest {
    @Test
    void jdk8WritesIdsInHex() {
        String dump = """
                "main" #1 prio=5 os_prio=0 tid=0x00007f1b5c012800 nid=0x1b03 runnable [0x00007f1b63a4d000]
                   java.lang.Thread.State: RUNNABLE
                \tat java.io.FileInputStream.readBytes(Native Method)

                "GC task thread#0 (ParallelGC)" os_prio=0 tid=0x00007f1b5c024000 nid=0x1b04 runnable
                """;
        assertEquals(
                List.of(
                        new ThreadDump.Entry(0x1b03, "main", 5),
                        new ThreadDump.Entry(0x1b04, "GC task thread#0 (ParallelGC)", 0)),
                ThreadDump.parse(dump));
    }

    @Test
    void jdk17AddsTimes() {
        String dump = "\"Finalizer\" #3 daemon prio=8 os_prio=0 cpu=0.19ms elapsed=10.00s tid=0x00007f5c8c0a1b20"
                + " nid=0x2a in Object.wait()  [0x00007f5c6c1fe000]\n"
                + "\"VM Thread\" os_prio=0 cpu=3.12ms elapsed=0.30s tid=0x00007f5c8c096f40 nid=0x2b runnable  \n";
        assertEquals(
                List.of(new ThreadDump.Entry(42, "Finalizer", 8), new ThreadDump.Entry(43, "VM Thread", 0)),
                ThreadDump.parse(dump));
    }

    @Test
    void jdk25WritesIdsInDecimal() {
        String dump = "\"pool-1-thread-1\" #33 [6915] daemon prio=7 os_prio=0 cpu=1.00ms elapsed=1.00s"
                + " tid=0x00007f00a4001000 nid=6915 waiting on condition  [0x00007f0090bfe000]\n";
        assertEquals(List.of(new ThreadDump.Entry(6915, "pool-1-thread-1", 7)), ThreadDump.parse(dump));
    }

    @Test
    void namesMayHoldQuotesAndLineFeeds() {
        String dump = """
                "say "hi" #2
                now" #34 [17] prio=1 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007f00a4001000 nid=17 runnable
                "next" #35 [18] prio=2 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007f00a4001000 nid=18 runnable
                """;
        assertEquals(
                List.of(new ThreadDump.Entry(17, "say \"hi\" #2\nnow", 1), new ThreadDump.Entry(18, "next", 2)),
                ThreadDump.parse(dump));
    }

    @Test
    void deadlockReportsAreNoThreads() {
        assertEquals(
                List.of(), ThreadDump.parse("Found one Java-level deadlock:\n\"a\":\n  waiting to lock monitor 0x1\n"));
    }
}
