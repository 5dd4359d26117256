package ayatori.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paper's conditions, section 2.2.2, for a request and, as their mirror, for an answer. */
class WakeConditionsTest {
    @ParameterizedTest
    @CsvSource({"0,0,1,true", "1,0,2,false", "0,1,1,false", "0,0,0,false", "1,1,0,false"})
    void onlyTheFirstThatHasNotBeenTakenWakes(int own, int other, int now, boolean wakes) {
        assertEquals(wakes, WakeConditions.wakesServer(own, other, now));
        assertEquals(wakes, WakeConditions.wakesClient(own, other, now));
    }
}
