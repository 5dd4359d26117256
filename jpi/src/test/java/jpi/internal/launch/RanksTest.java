package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import jpi.JApplication;
import jpi.internal.engine.Layout;
import jpi.internal.engine.Settings;
import jpi.internal.engine.World;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.junit.jupiter.api.Test;

/** However a rank ends, the master learns that it has, and why. */
class RanksTest {
    /** Ample: it only bounds what hangs. */
    private static final long LIMIT_SECONDS = 60;

    /** Both ranks of it. */
    private static List<ControlMessage> run(Class<? extends JApplication> program) throws InterruptedException {
        Layout layout = new Layout(2, 1, 0);
        ApplicationClass application = ApplicationClass.find(program.getName());
        ObjectCodec codec = new ObjectCodec(new AllowedTypes(program, ""), Serialisation.FORY);
        World world = new World(layout, new Settings(false, false, false, true), codec, null);
        ControlMessage.Task task = new ControlMessage.Task(
                2, 1, false, false, false, false, true, Serialisation.FORY, false, program.getName(), List.of());
        BlockingQueue<ControlMessage> said = new LinkedBlockingQueue<>();
        new Ranks(layout, task, world, application, said::add).start();
        List<ControlMessage> all = new ArrayList<>();
        while (all.isEmpty() || !(all.getLast() instanceof ControlMessage.Ended)) {
            ControlMessage next = said.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertNotNull(next, () -> "no more than " + all);
            all.add(next);
        }
        return all;
    }

    static final class Wordless extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }

    /** Its first rank ends with an exception that cannot say what it is. */
    static final class EndsWordless extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                throw new Wordless();
            }
        }
    }

    @Test
    void anExceptionNeedNotBeAbleToSayWhatItIs() throws InterruptedException {
        assertEquals(
                List.of(
                        new ControlMessage.Failed(
                                0,
                                "ended with " + Wordless.class.getName()
                                        + ", and what that says of itself cannot be told"
                                        + " (java.lang.IllegalStateException)"),
                        new ControlMessage.Ended()),
                run(EndsWordless.class));
    }

    /** Its first rank ends with an exception whose causes are a circle. */
    static final class EndsInACircle extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                IllegalStateException one = new IllegalStateException("one");
                one.initCause(new IllegalStateException("other", one));
                throw one;
            }
        }
    }

    @Test
    void causesMayComeRound() throws InterruptedException {
        assertEquals(
                List.of(
                        new ControlMessage.Failed(0, "ended with java.lang.IllegalStateException: one"),
                        new ControlMessage.Ended()),
                run(EndsInACircle.class));
    }
}
