package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.sched.ChildJvm;
import org.junit.jupiter.api.Test;

/** In JVMs of their own, since it takes an option of java. */
class ThreadLocalsTest {
    @Test
    void eachTaskFindsThreadLocalsAsNew() throws Exception {
        ChildJvm.Result result = new ChildJvm()
                .with("--add-opens=java.base/java.lang=ALL-UNNAMED")
                .run(ThreadLocalsProbe.class, "true");
        assertEquals("one thread: null null, inherited null, then null null, inherited null\n", result.output());
        assertEquals(0, result.exitCode());
    }

    @Test
    void unlessAskedTheyStay() throws Exception {
        ChildJvm.Result result = new ChildJvm().run(ThreadLocalsProbe.class, "false");
        assertEquals("one thread: null null, inherited null, then first second, inherited null\n", result.output());
    }

    @Test
    void withoutTheOptionThePoolIsRefused() throws Exception {
        ChildJvm.Result result = new ChildJvm().run(ThreadLocalsProbe.class, "true");
        assertEquals(
                "thread-locals cannot be cleared: start java with --add-opens=java.base/java.lang=ayatori.threads"
                        + " (=ALL-UNNAMED, if this library is on the class path)\n",
                result.output());
        assertEquals(0, result.exitCode());
    }
}
