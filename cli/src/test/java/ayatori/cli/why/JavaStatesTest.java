package ayatori.cli.why;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.cli.ThreadDump;
import org.junit.jupiter.api.Test;

class JavaStatesTest {
    /** Of JDK 17; "notified" waits to be told, and has given back the monitor that "holder" has. */
    private static final String DUMP = """
            "notified" #11 prio=5 os_prio=0 cpu=0.10ms elapsed=3.61s tid=0x00007f95d43fac40 nid=0x3735 in Object.wait()  [0x00007f95bc6fa000]
               java.lang.Thread.State: WAITING (on object monitor)
            \tat java.lang.Object.wait(java.base@17.0.15/Native Method)
            \t- waiting on <0x00000000fc333a98> (a java.lang.Object)
            \tat Sl.main(Sl.java:1)
            \t- locked <0x00000000fc333a98> (a java.lang.Object)

            "holder" #12 prio=5 os_prio=0 cpu=0.19ms elapsed=3.61s tid=0x00007f95d43fac50 nid=0x3736 waiting on condition  [0x00007f95bc5fa000]
               java.lang.Thread.State: TIMED_WAITING (sleeping)
            \tat Sl.lambda$main$0(Sl.java:1)
            \t- locked <0x00000000fc333a98> (a java.lang.Object)

            "want
            er" #13 prio=5 os_prio=0 cpu=0.52ms elapsed=3.51s tid=0x00007f95d4405ae0 nid=0x3737 waiting for monitor entry  [0x00007f95bc4fa000]
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat Sl.lambda$main$1(Sl.java:1)
            \t- waiting to lock <0x00000000fc333a98> (a java.lang.Object)

            "parker" #14 prio=5 os_prio=0 cpu=0.34ms elapsed=3.51s tid=0x00007f95d4406ca0 nid=0x3738 waiting on condition  [0x00007f95bc3fa000]
               java.lang.Thread.State: WAITING (parking)
            \tat jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)
            \t- parking to wait for  <0x00000000fc3af278> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

            "VM Thread" os_prio=0 cpu=3.12ms elapsed=0.30s tid=0x00007f5c8c096f40 nid=0x373b runnable
            """;

    private static String state(int tid) {
        return JavaStates.state(DUMP, ThreadDump.stack(DUMP, tid));
    }

    @Test
    void whatItWaitsForAndWhoHasIt() {
        assertEquals("WAITING (on object monitor): waiting on a java.lang.Object", state(0x3735));
        assertEquals("TIMED_WAITING (sleeping)", state(0x3736));
        assertEquals(
                "BLOCKED (on object monitor): waiting to lock a java.lang.Object held by \"holder\"", state(0x3737));
        assertEquals(
                "WAITING (parking): parking to wait for a java.util.concurrent.locks.ReentrantLock$NonfairSync",
                state(0x3738));
        assertEquals("no Java thread", state(0x373b));
    }
}
