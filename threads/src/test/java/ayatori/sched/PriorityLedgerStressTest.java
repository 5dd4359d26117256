package ayatori.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link LedgerStress} does the work and the checking. */
class PriorityLedgerStressTest {
    @BeforeEach
    void privileged() throws Exception {
        Needs.realTime();
    }

    @Test
    void everyThreadIsBackAtItsOwnLevel() throws Exception {
        KernelKeeper keeper = new KernelKeeper();
        new LedgerStress(new PriorityLedger(keeper), 1_000_000).run();
        assertEquals(0, keeper.accounts(), "accounts left");
    }

    @Test
    void everyThreadIsBackAtItsOwnLevelWithTheAgent() throws Exception {
        Path agent = Path.of(System.getProperty("ayatori.agent", "../native/build/libayatori.so"));
        assumeTrue(Files.exists(agent), "SKIP: needs " + agent.getFileName() + ", built by make -C native");
        ChildJvm.Result result = new ChildJvm()
                .with("-agentpath:" + agent.toAbsolutePath().normalize() + "=policy=static")
                .run(LedgerStress.class, "100000");
        assertEquals("agent: all back\n", result.output());
    }
}
