package ayatori.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A user without any right: what becomes a command as that user. */
final class Nobody {
    private static final List<String> WITHOUT_RIGHTS = List.of(
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all");

    /** The level of a client, as the agent's ladder has it for priority 9. */
    private static final List<String> REAL_TIME = List.of("chrt", "-r", "18");

    private Nobody() {}

    /** An ordinary process. */
    static List<String> ordinary() {
        return WITHOUT_RIGHTS;
    }

    /** One that is real-time as a whole, as somebody with the right to it has started it. */
    static List<String> realTime() {
        List<String> words = new ArrayList<>(REAL_TIME);
        words.addAll(WITHOUT_RIGHTS);
        return words;
    }

    /** If both can be had here; else says what it takes. */
    static boolean canBe() throws IOException, InterruptedException {
        List<String> trial = new ArrayList<>(realTime());
        trial.addAll(List.of("test", "-r", Bench.root() + "/bench/target/classes/ayatori/bench/Bench.class"));
        boolean can = new ProcessBuilder(trial)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
        if (!can) {
            Bench.say("without rights: left out, needs root, setpriv (apt-get install util-linux) and a project"
                    + " folder that every user may read");
        }
        return can;
    }
}
