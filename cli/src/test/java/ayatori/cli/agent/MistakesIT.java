package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Finished;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mistake in the agent's options is one line and exit code 2, before the program begins. */
class MistakesIT {
    @ParameterizedTest
    @CsvSource({
        "17, policy=foo, 'unknown policy \"foo\": it is one of none, nice, static, mixed'",
        "25, policy=foo, 'unknown policy \"foo\": it is one of none, nice, static, mixed'",
        "17, bogus, 'unknown option \"bogus\": '",
        "25, compiler=99, 'no rung of the ladder \"99\": '",
        "17, 'policy=static,rt=edf', 'unknown rt \"edf\": it is rr or fifo'",
        "25, 'values=x,strict', 'unknown values \"x\": it is ladder or paper'",
        "25, 'policy=static,band=10-20', 'band 10-20: too narrow for policy static, which takes 15 values'",
        "17, band=40-50, 'no band \"40-50\": '",
        "25, runaway-limit=x, 'no runaway limit \"x\": '",
        "17, strict=yes, 'unknown option \"strict'"
    })
    void oneLine(int jdk, String options, String message) {
        Finished finished = ActorsJvm.Launch.of(jdk, options).run("Actors");
        assertEquals(2, finished.exit(), finished.err());
        assertEquals("", finished.out());
        assertEquals(1, finished.err().lines().count(), finished.err());
        assertTrue(finished.err().startsWith("ayatori: " + message), finished.err());
    }
}
