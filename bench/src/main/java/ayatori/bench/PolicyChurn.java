package ayatori.bench;

import ayatori.sched.PriorityLadder.Policy;
import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Applies policies to a JVM that was started without the agent, and restores it, at random. For one thread. */
final class PolicyChurn {
    static final String RESTORE = "restore";

    private static final List<Policy> POLICIES = List.of(Policy.NONE, Policy.NICE, Policy.STATIC, Policy.MIXED);
    private static final int PAUSE_MS = 1500;

    private final long pid;
    private final SplittableRandom random;
    private int count;

    PolicyChurn(long pid, long seed) {
        this.pid = pid;
        this.random = new SplittableRandom(seed);
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
        int which = random.nextInt(POLICIES.size() + 1);
        apply(which == POLICIES.size() ? RESTORE : options(POLICIES.get(which)));
    }

    /** @param options of the agent, or {@link #RESTORE} */
    void apply(String options) throws IOException {
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
        count++;
    }
}
