package ayatori.cli.why;

import ayatori.cli.DiagnosticCommand;
import ayatori.cli.JvmProcess;
import ayatori.cli.ThreadDump;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Java says of the thread, by thread dumps: two a second, or fewer where they take long, since each stops the JVM's
 * threads for an instant. Thread-safe.
 */
final class JavaStates {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Of the time, dumps shall not take more than one part in so many. */
    private static final long SPARING = 20;

    private static final Pattern STATE = Pattern.compile("java\\.lang\\.Thread\\.State: (?<state>.+)");
    private static final Pattern WANTED = Pattern.compile(
            "- (?<how>waiting to lock|parking to wait for|waiting on) +<(?<address>\\w+)> \\(a (?<type>.+)\\)");

    private final JvmProcess process;
    private final int ownId;
    private final Map<String, Integer> seen = new LinkedHashMap<>();
    private final Thread dumper =
            Thread.ofPlatform().daemon().name("java-states").unstarted(this::watch);
    private int dumps;

    /** @param ownId the thread's id in the PID namespace of its JVM */
    JavaStates(JvmProcess process, int ownId) {
        this.process = process;
        this.ownId = ownId;
    }

    void begin() {
        dumper.start();
    }

    void end() throws InterruptedException {
        dumper.interrupt();
        dumper.join();
    }

    /** How often each state was seen. */
    synchronized Map<String, Integer> seen() {
        return new LinkedHashMap<>(seen);
    }

    /** How often the JVM was stopped for this. */
    synchronized int dumps() {
        return dumps;
    }

    private void watch() {
        try {
            while (process.silentBecause().isEmpty()) {
                long begun = System.nanoTime();
                String text = DiagnosticCommand.ask(process.pid(), "Thread.print");
                long taken = System.nanoTime() - begun;
                count(text);
                TimeUnit.NANOSECONDS.sleep(Math.max(PERIOD_NANOS - taken, taken * SPARING));
            }
        } catch (IOException | InterruptedException e) {
            // The JVM does not answer, or the time is over: what was seen until then counts.
        }
    }

    private synchronized void count(String dump) {
        dumps++;
        String stack = ThreadDump.stack(dump, ownId);
        if (!stack.isEmpty()) {
            seen.merge(state(dump, stack), 1, Integer::sum);
        }
    }

    /** For instance {@code BLOCKED (on object monitor): waiting to lock a java.lang.Object held by "main"}. */
    static String state(String dump, String stack) {
        Matcher state = STATE.matcher(stack);
        if (!state.find()) {
            return "no Java thread";
        }
        Matcher wanted = WANTED.matcher(stack);
        if (!wanted.find()) {
            return state.group("state");
        }
        String owner = wanted.group("how").equals("waiting to lock")
                ? ThreadDump.holder(dump, wanted.group("address"))
                        .map(name -> " held by \"" + name + "\"")
                        .orElse("")
                : "";
        return state.group("state") + ": " + wanted.group("how") + " a " + wanted.group("type") + owner;
    }
}
