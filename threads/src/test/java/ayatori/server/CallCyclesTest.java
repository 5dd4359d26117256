package ayatori.server;

import static ayatori.server.NumberedArea.area;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers that call each other: one of them is told, where the kernel lends priorities, instead of both waiting for ever. Which one
 * is a matter of chance: the last that begins to wait. A server hands on what it is lent, so it asks the kernel without being real-time.
 */
@Timeout(60)
class CallCyclesTest {
    /** What is asked of the first server for it to call the second one. */
    private static final int ROUND = 1;
    /** What that one asks of the first. */
    private static final int BACK = 2;

    /** For whom nobody tells; the server that is told has an exception at once. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    /** What the servers' calls threw. */
    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();

    private interface Call<T> {
        T make() throws Exception;
    }

    /** Either of the two calls may be the one; the other fails with it, or is answered. */
    private <T> T noting(Call<T> call) throws Exception {
        try {
            return call.make();
        } catch (IllegalStateException | TimeoutException e) {
            thrown.add(e);
            throw e;
        }
    }

    private void assertOneWasTold() {
        assertEquals(
                List.of(IllegalStateException.class),
                thrown.stream().map(Throwable::getClass).toList(),
                thrown::toString);
        String said = String.valueOf(thrown.element().getMessage());
        assertTrue(said.endsWith("for the calling thread itself: a cycle of calls"), said);
    }

    @Test
    void inOneJvmOneServerIsTold() throws Exception {
        try (Endpoint<Integer, Integer> first =
                        Endpoint.<Integer, Integer>builder().build();
                Endpoint<Integer, Integer> second =
                        Endpoint.<Integer, Integer>builder().build()) {
            first.serve(
                    1,
                    request -> request.reply(
                            request.body() == ROUND ? noting(() -> second.call(ROUND, LIMIT)) : request.body()));
            second.serve(
                    1,
                    request -> request.reply(
                            request.body() == ROUND ? noting(() -> first.call(BACK, LIMIT)) : request.body()));
            assertThrows(ExecutionException.class, () -> first.call(ROUND));
            assertOneWasTold();
            assertEquals(7, first.call(7));
            assertEquals(8, second.call(8));
        }
    }

    private void answer(Request<Area, Area> request, SharedEndpoint other, int number) throws Exception {
        if (request.body().segment().get(ValueLayout.JAVA_INT, 0) == ROUND) {
            noting(() -> other.call(area(other, number), LIMIT)).close();
        }
        request.reply(request.body());
    }

    private static int asked(SharedEndpoint of, int number) throws Exception {
        try (Area answer = of.call(area(of, number))) {
            return answer.segment().get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Test
    void betweenProcessesOneServerIsTold() throws Exception {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        try (Endpoint<Area, Area> first = Endpoint.<Area, Area>builder().build();
                Endpoint<Area, Area> second = Endpoint.<Area, Area>builder().build();
                var _ = PublishedEndpoint.at(one).publish(first);
                var _ = PublishedEndpoint.at(two).publish(second);
                SharedEndpoint toFirst = SharedEndpoint.connect(one);
                SharedEndpoint toSecond = SharedEndpoint.connect(two)) {
            first.serve(1, request -> answer(request, toSecond, ROUND));
            second.serve(1, request -> answer(request, toFirst, BACK));
            assertThrows(ExecutionException.class, () -> asked(toFirst, ROUND));
            assertOneWasTold();
            assertEquals(7, asked(toFirst, 7));
            assertEquals(8, asked(toSecond, 8));
        }
    }
}
