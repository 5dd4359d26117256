package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AggregateCheckTest {
    @TempDir
    private Path root;

    private FakeHost fake;

    @BeforeEach
    void makeHost() {
        fake = new FakeHost(root);
    }

    private Finding finding() {
        return AggregateCheck.of(fake.host());
    }

    @Test
    void whatTheKernelLacksIsNamed() {
        assertEquals(Verdict.INFO, finding().verdict());
        assertTrue(finding().reasons().getFirst().contains("CONFIG_DEBUG_INFO_BTF"));
        fake.write("/sys/kernel/btf/vmlinux", "");
        assertEquals(Verdict.INFO, finding().verdict());
        assertTrue(finding().reasons().getFirst().startsWith("Linux 6.12.9-amd64: it takes 6.13 or later"));
        fake.write("/proc/sys/kernel/osrelease", "6.18.1\n");
        assertTrue(finding().reasons().getFirst().endsWith("was built without CONFIG_SCHED_CLASS_EXT"));
    }

    @Test
    void theSchedulerThatTheKernelHasIsNamed() {
        fake.write("/sys/kernel/btf/vmlinux", "").write("/sys/kernel/sched_ext/state", "disabled\n");
        assertEquals("the kernel takes the scheduler, from root", finding().text());
        assertEquals(Verdict.OK, finding().verdict());
        fake.write("/sys/kernel/sched_ext/state", "enabled\n").write("/sys/kernel/sched_ext/root/ops", "scx_rusty\n");
        assertEquals(
                "the kernel has the scheduler scx_rusty, and takes one only",
                finding().text());
        assertEquals(Verdict.INFO, finding().verdict());
        fake.write("/sys/kernel/sched_ext/root/ops", "ayatori_all\n");
        assertEquals(Verdict.OK, finding().verdict());
    }
}
