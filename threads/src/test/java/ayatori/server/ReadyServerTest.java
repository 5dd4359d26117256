package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.internal.linux.TaskFiles;
import ayatori.sched.ChildJvm;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.Waiting;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server in another process that is where a request needs it already: nobody has to raise it. */
@Timeout(120)
class ReadyServerTest {
    private static final int LOW = 4;
    private static final int URGENT = 8;
    /** As many lesser requests one after another as it rises for in vain. */
    private static final int MOST_IN_VAIN = 64;

    @TempDir
    private Path directory;

    @BeforeEach
    void needs() throws Exception {
        Needs.realTime();
    }

    private SharedServerProcess serve(Path path, String... properties) throws IOException {
        return serve(path, 1, properties);
    }

    private SharedServerProcess serve(Path path, int threads, String... properties) throws IOException {
        ChildJvm jvm = new ChildJvm().with("-Dladder=STATIC");
        for (String property : properties) {
            jvm.with("-D" + property);
        }
        return new SharedServerProcess(path, threads, jvm);
    }

    private static Area question(SharedEndpoint client) {
        Area area = client.allocate(64);
        area.segment().set(ValueLayout.JAVA_INT, 0, SharedServerProcess.RANK);
        return area;
    }

    private static int rank(Area answer) {
        try (answer) {
            return answer.segment().get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** The rank at which a request of this priority is answered. */
    private static int call(SharedEndpoint client, int priority) throws Exception {
        return rank(client.send(priority, question(client)).get());
    }

    private static int rankAsleep(SharedServerProcess server) {
        return rankAsleep(server.threads().getFirst());
    }

    private static int rankAsleep(LinuxThread thread) {
        Waiting.until(
                "the server asleep",
                () -> new TaskFiles(thread.id()).systemCall().orElse(0) == SixCases.FUTEX_WAITV);
        return thread.effectiveRank();
    }

    @Test
    void whoHasBeenRaisedAsleepRisesByItselfFromThenOn() throws Exception {
        Path path = directory.resolve("os");
        try (var server = serve(path, "raisesItself=true");
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            assertEquals(SixCases.rank(LOW), call(client, LOW));
            assertEquals(SixCases.rank(LOW), rankAsleep(server));
            for (int i = 0; i < 5; i++) {
                assertEquals(SixCases.rank(URGENT), call(client, URGENT));
                assertEquals(SixCases.rank(LOW), call(client, LOW));
                assertEquals(SixCases.rank(URGENT), rankAsleep(server), "while nobody asks for anything");
            }
            // For the first request of all, since nobody knew where it was, and for the first urgent one.
            assertEquals(2, client.statistics().raises());
        }
    }

    private static List<Integer> ranksAsleep(SharedServerProcess server) {
        return server.threads().stream()
                .map(ReadyServerTest::rankAsleep)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** By the kernel, which wakes the most important one of those who wait for a word, not the one that has slept for longest. */
    @Test
    void ofSeveralTheOneThatHasRisenIsWoken() throws Exception {
        Path path = directory.resolve("os");
        int began = SixCases.rank(Thread.NORM_PRIORITY);
        try (var server = serve(path, 3, "raisesItself=true");
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            assertEquals(List.of(began, began, began), ranksAsleep(server));
            assertEquals(SixCases.rank(URGENT), call(client, URGENT));
            assertEquals(1, client.statistics().raises());
            for (int i = 0; i < 5; i++) {
                assertEquals(List.of(SixCases.rank(URGENT), began, began), ranksAsleep(server));
                assertEquals(SixCases.rank(LOW), call(client, LOW));
                assertEquals(List.of(SixCases.rank(URGENT), began, began), ranksAsleep(server));
                assertEquals(SixCases.rank(URGENT), call(client, URGENT));
            }
            assertEquals(1, client.statistics().raises(), "the first time");
            assertEquals(10, client.statistics().wakes());
        }
    }

    @Test
    void whoHasRisenInVainForLongStaysDown() throws Exception {
        Path path = directory.resolve("os");
        try (var server = serve(path, "raisesItself=true");
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            call(client, LOW);
            rankAsleep(server);
            call(client, URGENT);
            for (int i = 0; i < MOST_IN_VAIN; i++) {
                call(client, LOW);
                assertEquals(SixCases.rank(URGENT), rankAsleep(server));
            }
            call(client, LOW);
            assertEquals(SixCases.rank(LOW), rankAsleep(server));
            long before = client.statistics().raises();
            call(client, URGENT);
            assertEquals(before + 1, client.statistics().raises());
        }
    }

    private static void callAtRank(SharedEndpoint client, int priority, int rank) throws Exception {
        FutureTask<Void> call = new FutureTask<>(() -> {
            LinuxThread.current().set(SchedulingParameters.roundRobin(rank - 100));
            long before = client.statistics().lends();
            int answered = rank(client.call(question(client)));
            if (client.statistics().lends() == before) { // else it may have been answered before it was lent anything
                assertEquals(rank, answered);
            }
            return null;
        });
        Thread.ofPlatform().priority(priority).start(call);
        call.get();
    }

    @Test
    void theKernelIsToldNothingWhereTheServerIsHighEnoughByItself() throws Exception {
        Path path = directory.resolve("os");
        try (var server = serve(path);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            call(client, URGENT); // which it goes up to by itself
            rankAsleep(server);
            callAtRank(client, URGENT, SixCases.rank(URGENT));
            assertEquals(0, client.statistics().lends());
            callAtRank(client, URGENT, SixCases.rank(URGENT) + 1);
            assertEquals(1, client.statistics().lends(), "by a thread that is higher than its Java priority says");
            callAtRank(client, LOW, SixCases.rank(URGENT));
            assertEquals(2, client.statistics().lends(), "by one for whose Java priority the server goes down");
            rankAsleep(server);
            callAtRank(client, LOW, SixCases.rank(LOW));
            assertEquals(2, client.statistics().lends());
        }
    }

    @Test
    void whoHasBeenLentAPriorityAsleepRisesToItByItselfFromThenOn() throws Exception {
        Path path = directory.resolve("os");
        try (var server = serve(path);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            call(client, LOW);
            assertEquals(SixCases.rank(LOW), rankAsleep(server));
            for (int i = 0; i < 5; i++) {
                callAtRank(client, URGENT, SixCases.rank(URGENT));
                assertEquals(SixCases.rank(URGENT), rankAsleep(server));
                assertEquals(SixCases.rank(LOW), call(client, LOW));
                assertEquals(SixCases.rank(URGENT), rankAsleep(server));
            }
            assertEquals(1, client.statistics().lends(), "the first time");
        }
    }

    @Test
    void aServerThatMayNotRaiseItselfIsLentToEachTime() throws Exception {
        Needs.program("/usr/bin/setpriv");
        Path path = directory.resolve("os");
        ChildJvm jvm = new ChildJvm(
                        "setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", "prlimit", "--rtprio=0")
                .with("-Dladder=STATIC");
        try (var server = new SharedServerProcess(path, 1, jvm);
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            for (int i = 1; i <= 5; i++) {
                callAtRank(client, URGENT, SixCases.rank(URGENT));
                assertEquals(i, client.statistics().lends());
                assertEquals(20, rankAsleep(server), "SCHED_OTHER, nice 0");
            }
        }
    }

    @Test
    void whoIsCappedLends() throws Exception {
        Path path = directory.resolve("os");
        try (var server = serve(path, "cap=9");
                SharedEndpoint client = SharedEndpoint.connect(path)) {
            call(client, URGENT);
            rankAsleep(server);
            callAtRank(client, URGENT, SixCases.rank(URGENT));
            assertEquals(1, client.statistics().lends());
            call(client, LOW);
            assertEquals(SixCases.rank(LOW), rankAsleep(server), "to rise would spare nobody anything");
        }
    }
}
