package ayatori.bench;

import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import ayatori.sched.PriorityLadder.Rung;
import ayatori.sched.SchedulingException;
import ayatori.sched.SchedulingParameters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares each thread of a JVM that stands still, by the kernel's account, with what the ladder says. */
final class LevelCheck {
    /** The kernel keeps so many characters of a name. */
    private static final int COMM_LENGTH = 15;

    /** The JVM's own, by how their names begin; the first that fits. */
    private static final Map<String, Rung> JVM_THREADS = new LinkedHashMap<>();

    static {
        JVM_THREADS.put("VM Thread", Rung.VM_THREAD);
        JVM_THREADS.put("VM Periodic Tas", Rung.LAGGARD);
        JVM_THREADS.put("GC Thread", Rung.GC_WORKER);
        JVM_THREADS.put("ParGC Thread", Rung.GC_WORKER);
        JVM_THREADS.put("G1 ", Rung.CONCURRENT_GC);
        JVM_THREADS.put("C1 Compiler", Rung.COMPILER);
        JVM_THREADS.put("C2 Compiler", Rung.COMPILER);
        JVM_THREADS.put("Signal Dispatch", Rung.LAGGARD);
        JVM_THREADS.put("Attach Listener", Rung.LAGGARD);
    }

    /** Java threads for the JVM's own use: whether they bear reset-on-fork depends on what they were entered as first. */
    private static final List<String> SPEAKERS = List.of("Signal Dispatch", "Attach Listener");

    private static final List<String> SYSTEM_THREADS = List.of(
            "Reference Handler",
            "Finalizer",
            "Common-Cleaner",
            "Notification Thread",
            "Service Thread",
            "process reaper");

    private final long pid;
    private final PriorityLadder ladder;
    private final Map<String, Integer> priorities = new HashMap<>();

    /** Takes the lines {@code thread,NAME,PRIORITY} that the load told. */
    LevelCheck(long pid, PriorityLadder ladder, List<List<String>> results) {
        this.pid = pid;
        this.ladder = ladder;
        for (List<String> fields : results) {
            if (fields.get(0).equals("thread")) {
                String name = fields.get(1);
                int priority = Integer.parseInt(fields.get(2));
                boolean ordinary = SYSTEM_THREADS.contains(name) && ladder.policy() == PriorityLadder.Policy.MIXED;
                priorities.put(
                        name.substring(0, Math.min(COMM_LENGTH, name.length())),
                        ordinary ? Math.min(priority, PriorityLadder.NORM_JAVA_PRIORITY) : priority);
            }
        }
    }

    /** One line for each thread that is not where it should be, and for each that is not there. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        int workers = 0;
        for (LinuxThread thread : LinuxThread.ofProcess((int) pid)) {
            try {
                Optional<SchedulingParameters> wanted = wanted(thread.name());
                SchedulingParameters actual = thread.get();
                if (SPEAKERS.contains(thread.name())) {
                    actual = actual.withResetOnFork(false);
                }
                workers += thread.name().startsWith("w-") ? 1 : 0;
                if (wanted.isPresent() && !wanted.get().equals(actual)) {
                    wrong.add("thread " + thread.id() + " \"" + thread.name() + "\": the ladder says " + wanted.get()
                            + ", the kernel has " + actual);
                }
            } catch (SchedulingException e) {
                continue; // has ended since
            }
        }
        long told = priorities.keySet().stream()
                .filter(name -> name.startsWith("w-"))
                .count();
        if (workers != told) {
            wrong.add("the JVM tells of " + told + " workers, the kernel has " + workers);
        }
        return wrong;
    }

    private Optional<SchedulingParameters> wanted(String comm) {
        for (Map.Entry<String, Rung> rung : JVM_THREADS.entrySet()) {
            if (comm.startsWith(rung.getKey())) {
                return ladder.forRung(rung.getValue()).map(level -> level.withResetOnFork(false));
            }
        }
        Integer priority = priorities.get(comm);
        return priority == null ? Optional.empty() : ladder.forJavaPriority(priority);
    }
}
