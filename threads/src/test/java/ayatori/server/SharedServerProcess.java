package ayatori.server;

import ayatori.internal.linux.Sched;
import ayatori.sched.ChildJvm;
import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own, of which a test reads the kernel's levels. {@code SharedServerProcess PATH THREADS [NEXT]}: it
 * prints the Linux ids of its threads, a line each. What it is asked stands in the area's first number: HOLD keeps the server, which
 * prints a line, until one comes on standard input, CALL_NEXT calls NEXT's server, which is held, FORWARD has NEXT's server answer
 * the next number, RANK is answered by the rank at which the kernel has the server, all else at once, doubled.
 *
 * <p>Properties: {@code protocol}, {@code ladder} (a policy), {@code cpu} (for the servers), {@code raisesItself}, {@code cap}.
 */
public final class SharedServerProcess implements AutoCloseable {
    static final int HOLD = -1;
    static final int CALL_NEXT = -2;
    static final int FORWARD_TO_HOLD = -3;
    static final int FORWARD = -4;
    static final int RANK = Integer.MIN_VALUE;

    private final Process process;
    private final Scanner output;
    private final List<LinuxThread> threads = new ArrayList<>();

    /** Starts one. */
    SharedServerProcess(Path path, int servers, List<String> launcher, String... more) throws IOException {
        this(path, servers, new ChildJvm(launcher.toArray(String[]::new)), more);
    }

    /** Starts one in a virtual machine with properties. */
    SharedServerProcess(Path path, int servers, ChildJvm jvm, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(path.toString(), Integer.toString(servers)));
        arguments.addAll(List.of(more));
        process = jvm.start(SharedServerProcess.class, arguments.toArray(String[]::new));
        output = new Scanner(process.getInputStream(), StandardCharsets.UTF_8);
        for (int i = 0; i < servers; i++) {
            threads.add(LinuxThread.of(Integer.parseInt(output.nextLine())));
        }
    }

    /** Its threads. */
    List<LinuxThread> threads() {
        return threads;
    }

    /** Waits until a request holds it. */
    void awaitHeld() {
        var _ = output.nextLine();
    }

    /** Lets go of what it holds. */
    void letGo() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        output.close();
    }

    public static void main(String[] arguments) throws Exception {
        Endpoint<Area, Area> endpoint = endpoint();
        CountDownLatch gate = new CountDownLatch(1);
        SharedEndpoint next = arguments.length > 2 ? SharedEndpoint.connect(Path.of(arguments[2])) : null;
        PublishedEndpoint.Builder door = PublishedEndpoint.at(Path.of(arguments[0]));
        if (Boolean.getBoolean("raisesItself")) {
            door.raisesItself();
        }
        if (Integer.getInteger("cap") != null) {
            door.priorityCap(Integer.getInteger("cap"));
        }
        var _ = door.publish(endpoint);
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            Thread.ofPlatform().start(() -> serve(endpoint, gate, next));
        }
        Thread.ofPlatform().daemon().start(() -> {
            try {
                if (System.in.read() >= 0) {
                    gate.countDown();
                    var _ = System.in.read();
                }
            } catch (IOException e) {
                // the end
            }
            Runtime.getRuntime().halt(0);
        });
    }

    private static Endpoint<Area, Area> endpoint() {
        EndpointBuilder<Area, Area> builder = Endpoint.<Area, Area>builder()
                .name("other")
                .protocol(PriorityProtocol.valueOf(System.getProperty("protocol", "VPSET")));
        String ladder = System.getProperty("ladder");
        if (ladder != null) {
            builder.ladder(PriorityLadder.of(PriorityLadder.Policy.valueOf(ladder)));
        }
        return builder.build();
    }

    private static void serve(Endpoint<Area, Area> endpoint, CountDownLatch gate, @Nullable SharedEndpoint next) {
        int cpu = Integer.getInteger("cpu", -1);
        if (cpu >= 0) {
            BitSet one = new BitSet();
            one.set(cpu);
            var _ = Sched.setAffinity(0, one);
        }
        try (Server<Area, Area> server = endpoint.server()) {
            System.out.println(Sched.gettid());
            for (var request = server.receive(); request.isPresent(); request = server.receive()) {
                answer(request.get(), gate, next);
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(Request<Area, Area> request, CountDownLatch gate, @Nullable SharedEndpoint next)
            throws InterruptedException, ExecutionException {
        MemorySegment segment = request.body().segment();
        int number = segment.get(ValueLayout.JAVA_INT, 0);
        if (number == HOLD) {
            System.out.println("held");
            gate.await();
        } else if (number == RANK) {
            segment.set(ValueLayout.JAVA_INT, 0, LinuxThread.current().effectiveRank());
        } else if (number == CALL_NEXT && next != null) {
            Area area = next.allocate(64);
            area.segment().set(ValueLayout.JAVA_INT, 0, HOLD);
            next.call(area).close();
        } else if (number <= FORWARD_TO_HOLD && next != null) {
            segment.set(ValueLayout.JAVA_INT, 0, number == FORWARD ? segment.get(ValueLayout.JAVA_INT, 4) : HOLD);
            try {
                next.forward(request, request.body());
            } catch (RejectedExecutionException e) {
                request.fail(e);
            }
            return;
        } else {
            segment.set(ValueLayout.JAVA_INT, 0, 2 * number);
        }
        var _ = request.reply(request.body());
    }
}
