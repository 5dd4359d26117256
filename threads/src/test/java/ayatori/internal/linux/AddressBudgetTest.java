package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class AddressBudgetTest {
    private final AddressBudget user = AddressBudget.PROCESS.part("user 5", 100);
    private final AddressBudget first = user.part("process 1", 70);
    private final AddressBudget second = user.part("process 2", 70);

    private static void refuses(String words, AddressBudget budget, long bytes) {
        IOException refused = assertThrows(IOException.class, () -> budget.take("memory", bytes));
        assertTrue(refused.toString().contains(words), refused::toString);
    }

    @Test
    void noPartTakesMoreThanItsOwnerHas() throws IOException {
        first.take("memory", 70);
        refuses("\"memory\": 1 bytes beside 70 are more than the 70 that process 1 may pass", first, 1);
        second.take("memory", 20);
        refuses("20 bytes beside 90 are more than the 100 that user 5 may pass", second, 20);
        second.take("memory", 10);
        refuses("user 5", second, 1);
        first.give(70);
        second.take("memory", 40);
        refuses("process 2", second, 1);
        refuses("process 1", first, Long.MAX_VALUE);
        first.take("memory", 30);
        first.give(30);
        second.give(70);
    }
}
