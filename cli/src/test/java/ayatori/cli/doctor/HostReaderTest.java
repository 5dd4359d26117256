package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.doctor.HostFacts.DebugFiles;
import ayatori.cli.doctor.HostFacts.FairServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kernel says of itself. */
class HostReaderTest {
    @TempDir
    private Path root;

    private FakeHost fake;

    @BeforeEach
    void makeHost() {
        fake = new FakeHost(root);
    }

    @Test
    void theBudgetOfRealTimeThreads() {
        assertEquals(OptionalLong.of(950_000), fake.host().runtime());
        fake.write("/proc/sys/kernel/sched_rt_runtime_us", "-1\n");
        assertEquals(OptionalLong.of(-1), fake.host().runtime());
    }

    @Test
    void theFairServerOfEachCpu() {
        assertEquals(List.of(), fake.host().fairServers());
        assertEquals(DebugFiles.UNMOUNTED, fake.host().debugFiles());
        String folder = "/sys/kernel/debug/sched/fair_server/cpu";
        for (int cpu = 0; cpu < 2; cpu++) {
            fake.write(folder + cpu + "/runtime", 50_000_000 * cpu + "\n");
            fake.write(folder + cpu + "/period", "1000000000\n");
        }
        assertEquals(DebugFiles.READABLE, fake.host().debugFiles());
        assertEquals(
                List.of(new FairServer(0, 1_000_000_000), new FairServer(50_000_000, 1_000_000_000)),
                fake.host().fairServers());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -                                                               | quiet            | unknown
            # CONFIG_RT_GROUP_SCHED is not set                              | quiet            | false
            CONFIG_RT_GROUP_SCHED=y                                         | quiet            | true
            CONFIG_RT_GROUP_SCHED=y                                         | rt_group_sched=0 | false
            CONFIG_RT_GROUP_SCHED=y,CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED=y | quiet           | false
            CONFIG_RT_GROUP_SCHED=y,CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED=y | rt_group_sched=1 | true
            """, commentCharacter = '!')
    void whetherControlGroupsNeedABudget(String config, String commandLine, String expected) {
        fake.write("/proc/cmdline", commandLine + "\n");
        if (!config.equals("-")) {
            fake.config(config.replace(',', '\n') + "\n");
        }
        assertEquals(expected, fake.host().realTimeGroups().map(String::valueOf).orElse("unknown"));
    }

    @Test
    void theConfigurationIsInBootToo() {
        fake.write("/boot/config-6.12.9-amd64", "CONFIG_X=y\nCONFIG_RT_GROUP_SCHED=y\n");
        assertEquals(Optional.of(true), fake.host().realTimeGroups());
    }

    @Test
    void versionsAreCompared() {
        assertTrue(fake.host().since(6, 12));
        assertTrue(fake.host().since(5, 19));
        assertFalse(fake.host().since(6, 13));
        assertFalse(fake.host().since(7, 0));
        fake.write("/proc/sys/kernel/osrelease", "custom");
        assertFalse(fake.host().since(2, 6));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0         | 1
            0-3       | 4
            0,2       | 2
            0-1,4-7,9 | 7
            ''        | 0
            """)
    void cpusAreCounted(String list, int count) {
        assertEquals(count, HostReader.count(list));
    }

    @Test
    void aHostWithoutAnyOfTheFilesIsReadToo(@TempDir Path empty) {
        HostFacts host = HostReader.read(new KernelFiles(empty));
        assertEquals(OptionalLong.empty(), host.runtime());
        assertEquals(List.of(), ThrottlingCheck.of(host));
    }
}
