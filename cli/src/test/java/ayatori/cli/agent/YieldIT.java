package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops that yield until a lower thread on the same CPU has done its part come to an end. */
class YieldIT {
    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void yieldLoopsLetALowOwnerFinish(int jdk) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=static")
                .onOneCpu()
                .with("--add-opens=java.base/java.util.concurrent=ALL-UNNAMED")
                .start()) {
            jvm.start("main", "owner", 1);
            jvm.start("main", "looper", 9);
            jvm.start("main", "mapper", 8);
            jvm.start("main", "getter", 7);
            // Half-way through ConcurrentHashMap.initTable and FutureTask.set, where others yield in a loop.
            jvm.tell("owner", "hold-table", "held");
            jvm.tell("owner", "hold-task", "held");
            int loop = jvm.order("looper", "yield-until-done");
            int put = jvm.order("mapper", "put");
            int get = jvm.order("getter", "get");
            int finish = jvm.order("owner", "finish");
            assertEquals("finished", jvm.answer(finish));
            assertEquals("done", jvm.answer(loop));
            assertEquals("put", jvm.answer(put));
            assertEquals("null", jvm.answer(get));
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }
}
