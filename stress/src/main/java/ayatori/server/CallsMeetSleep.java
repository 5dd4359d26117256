package ayatori.server;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A client calls twice while the only server comes, falls asleep or wakes: both are answered. First and second: the answers.
 * Third: requests that still wait.
 */
@JCStressTest
@Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "both answered")
@State
public class CallsMeetSleep {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Endpoint<Integer, Integer> endpoint =
            Endpoint.<Integer, Integer>builder().build();
    private volatile int one;
    private volatile int two;

    private int call(int body) {
        try {
            return endpoint.call(body, LIMIT);
        } catch (Exception e) {
            return -1;
        }
    }

    @Actor
    public void client() {
        one = call(1);
        two = call(2);
    }

    @Actor
    public void server() {
        try (Server<Integer, Integer> server = endpoint.server()) {
            for (int i = 0; i < 2; i++) {
                Request<Integer, Integer> request = server.receive(LIMIT).orElseThrow();
                request.reply(request.body());
            }
        } catch (Exception e) {
            // the clients time out
        }
    }

    @Arbiter
    public void answers(III_Result result) {
        result.r1 = one;
        result.r2 = two;
        result.r3 = endpoint.statistics().waiting();
    }
}
