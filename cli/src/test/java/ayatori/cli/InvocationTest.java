package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class InvocationTest {
    @Test
    void savedVariablesGetTheirNamesBack() {
        assertEquals(
                List.of("HOME=/root", "JAVA_TOOL_OPTIONS=-Da=b"),
                Invocation.restored(List.of("AYATORI_SAVED_JAVA_TOOL_OPTIONS=-Da=b", "HOME=/root")));
    }

    @Test
    void aSavedVariableReplacesWhatThisJvmNeeded() {
        assertEquals(List.of("LC_ALL=de"), Invocation.restored(List.of("LC_ALL=C.UTF-8", "AYATORI_SAVED_LC_ALL=de")));
    }

    @Test
    void aSavedVariableMayBeEmpty() {
        assertEquals(List.of("_JAVA_OPTIONS="), Invocation.restored(List.of("AYATORI_SAVED__JAVA_OPTIONS=")));
    }

    @Test
    void whatTheUserDidNotHaveIsGoneAgain() {
        assertEquals(
                List.of("A=1"),
                Invocation.restored(List.of("A=1", "SHLVL=1", "AYATORI_SAVED_UNSET=SHLVL LC_ALL", "LC_ALL=C.UTF-8")));
    }

    @Test
    void ignoredSignalsAreNotPassedOnAsAVariable() {
        List<String> environment = List.of("A=1", "AYATORI_SAVED_SIGIGN=0000000000001000");
        assertEquals(List.of("A=1"), Invocation.restored(environment));
        assertEquals(0x1000, Invocation.ignored(environment, 1));
        assertEquals(1, Invocation.ignored(List.of("A=1"), 1));
        assertEquals(1, Invocation.ignored(List.of("AYATORI_SAVED_SIGIGN=none"), 1));
    }
}
