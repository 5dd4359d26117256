package ayatori.bench.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.pool.ReusableThreadPool;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Jetty server on our pool, asked by a real client. */
@Timeout(120)
class PoolForJettyTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Server> servers = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() throws Exception {
        gate.countDown();
        for (Server server : servers) {
            server.stop();
        }
        client.close();
    }

    /** Answers with the thread and the priority that it runs at. */
    private final class Telling extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws InterruptedException {
            switch (Request.getPathInContext(request)) {
                case "/nobody" -> {
                    return false;
                }
                case "/fails" -> throw new IllegalStateException("of a handler");
                case "/blocks" -> gate.await();
                default -> {}
            }
            Thread thread = Thread.currentThread();
            Content.Sink.write(
                    response,
                    true,
                    thread.getName().replaceFirst("\\d+$", "N") + " at " + thread.getPriority(),
                    callback);
            return true;
        }
    }

    private URI start(ReusableThreadPool pool) throws Exception {
        return start(pool, pool);
    }

    private URI start(ReusableThreadPool pool, ReusableThreadPool forRequests) throws Exception {
        Server server = new Server(new PoolForJetty(pool, 9));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new PriorityHandler(
                forRequests,
                request -> Request.getPathInContext(request).startsWith("/urgent") ? 8 : 3,
                new Telling()));
        servers.add(server);
        server.start();
        return URI.create("http://127.0.0.1:" + connector.getLocalPort());
    }

    private CompletableFuture<HttpResponse<String>> ask(URI server, String path) {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void eachRequestIsHandledAtItsPriority() throws Exception {
        ReusableThreadPool pool = ReusableThreadPool.builder().name("web").build();
        URI server = start(pool);
        assertEquals("web-N at 8", ask(server, "/urgent").join().body());
        assertEquals("web-N at 3", ask(server, "/bulk").join().body());
        assertEquals("web-N at 8", ask(server, "/urgent").join().body());
        assertEquals(404, ask(server, "/nobody").join().statusCode());
        assertEquals(500, ask(server, "/fails").join().statusCode());
    }

    @Test
    void aRequestThatThePoolRefusesIsToldSo() throws Exception {
        ReusableThreadPool one =
                ReusableThreadPool.builder().maximumThreads(1).queueCapacity(0).build();
        try (one) {
            URI server = start(ReusableThreadPool.builder().build(), one);
            CompletableFuture<HttpResponse<String>> blocked = ask(server, "/blocks");
            while (one.statistics().running() == 0) {
                Thread.onSpinWait();
            }
            assertEquals(503, ask(server, "/urgent").join().statusCode());
            assertFalse(blocked.isDone());
            gate.countDown();
            assertEquals(200, blocked.join().statusCode());
        } finally {
            gate.countDown();
        }
    }

    @Test
    void theServerEndsThePool() throws Exception {
        ReusableThreadPool pool = ReusableThreadPool.builder().build();
        URI server = start(pool);
        assertEquals(200, ask(server, "/bulk").join().statusCode());
        servers.getFirst().stop();
        assertTrue(pool.isTerminated());
    }
}
