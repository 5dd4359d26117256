package ayatori.bench;

import ayatori.sched.PriorityLadder.Policy;
import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Applies policies and rules to a JVM that was started without the agent, and restores it, at random. For one thread. */
final class PolicyChurn implements AutoCloseable {
    static final String RESTORE = "restore";

    private static final List<Policy> POLICIES = List.of(Policy.NONE, Policy.NICE, Policy.STATIC, Policy.MIXED);
    private static final int PAUSE_MS = 1500;

    /** For some of the load's workers: what a policy never gives. */
    private static final String RULES = """
            [Thread w-*1]
            CPUSchedulingPolicy=rr
            CPUSchedulingPriority=3
            [Thread w-*2]
            CPUSchedulingPolicy=batch
            Nice=7
            [Thread w-*3]
            CPUAffinity=0
            IOSchedulingClass=best-effort
            IOSchedulingPriority=6
            [Thread w-*4]
            CPUSchedulingPolicy=idle
            """;

    private final long pid;
    private final SplittableRandom random;
    private final Path rules;
    private int count;

    PolicyChurn(long pid, long seed) throws IOException {
        this.pid = pid;
        this.random = new SplittableRandom(seed);
        this.rules = Files.writeString(Files.createTempFile("ayatori-bench", ".rules"), RULES);
    }

    @Override
    public void close() throws IOException {
        Files.delete(rules);
    }

    static String options(Policy policy) {
        return "policy=" + policy.name().toLowerCase(Locale.ROOT) + ",runaway-limit=0";
    }

    /** How many times something was applied or restored. */
    int count() {
        return count;
    }

    /** One of them, after a pause. */
    void step() throws IOException, InterruptedException {
        Thread.sleep(random.nextInt(PAUSE_MS));
        switch (random.nextInt(4)) {
            case 0 -> apply(pid, RESTORE);
            case 1 -> apply(pid, options(random.nextBoolean() ? Policy.STATIC : Policy.MIXED) + ",rules=" + rules);
            default -> apply(pid, options(POLICIES.get(random.nextInt(POLICIES.size()))));
        }
        count++;
    }

    /** @param options of the agent, or {@link #RESTORE} */
    static void apply(long pid, String options) throws IOException {
        try {
            VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
            try {
                jvm.loadAgentPath(Bench.agentLibrary().toString(), options);
            } finally {
                jvm.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new IOException(options + ": " + e.getMessage(), e);
        }
    }
}
