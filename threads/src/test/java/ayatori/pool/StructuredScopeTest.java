package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.sched.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** StructuredTaskScopes whose subtasks run in a pool, in a JVM with previews on. */
class StructuredScopeTest {
    private static final int JDK = 25;

    @Test
    void subtasksRunInThePool() throws Exception {
        assumeTrue(
                Runtime.version().feature() == JDK,
                "SKIP: StructuredTaskScope is a preview whose form changes from JDK to JDK; needs JDK " + JDK);
        Path source =
                Path.of(System.getProperty("basedir", "."), "src/test/resources/ayatori/pool/StructuredScopes.java");
        ChildJvm.Result result =
                new ChildJvm().with("--enable-preview").with("--source=" + JDK).runSource(source);
        assertEquals("""
                subtasks: {scope at 7=20}[scope at 3]
                failure: of a subtask
                cancelled: first, 0 still running, 0 queued
                timeout: interrupted
                scoped value: [not bound, bound]
                nested: [[scope at 6]]
                a thread that was started before: refused
                calls of a subclass's start(): 0
                """, result.output());
        assertEquals(0, result.exitCode());
    }
}
