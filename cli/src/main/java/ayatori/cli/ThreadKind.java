package ayatori.cli;

import java.util.regex.Pattern;

/** What a thread of a JVM is for; the constants are LEDGER_KIND_… of native/include/ledger_page.h. */
public enum ThreadKind {
    JAVA(1, "java"),
    CARRIER(2, "carrier"),
    JAVA_SYSTEM(3, "system"),
    VM_THREAD(4, "vm"),
    GC_WORKER(5, "gc"),
    CONCURRENT_GC(6, "conc-gc"),
    COMPILER(7, "compiler"),
    JVM_OTHER(8, "jvm"),
    /** Of a program that is no JVM, and so in no ledger. */
    NATIVE(-1, "native");

    private static final Pattern COMPILER_NAME =
            Pattern.compile("(C1|C2|JVMCI|Graal).*Compiler.*|.*CompilerThre.*|Sweeper thread");
    private static final Pattern CONCURRENT_NAME = Pattern.compile(
            "G1 .*|Concurrent Mark.*|CMS .*|ZDriver.*|ZDirector.*|ZStat.*|ZUncommitter.*|ZUnmapper.*|ZWorker.*|"
                    + "Shenandoah Contr.*|Shenandoah Uncom.*|StringDedup.*");
    private static final Pattern WORKER_NAME =
            Pattern.compile("GC Thread#.*|GC task thread#.*|ParGC Thread.*|Gang worker#.*|Shenandoah GC T.*");

    private final int ledgerValue;
    private final String label;

    ThreadKind(int ledgerValue, String label) {
        this.ledgerValue = ledgerValue;
        this.label = label;
    }

    int ledgerValue() {
        return ledgerValue;
    }

    /** Whether HotSpot made such a thread for itself, and it is no Java thread. */
    public boolean isJvmsOwn() {
        return ledgerValue >= VM_THREAD.ledgerValue;
    }

    /** As the table shows it. */
    public String label() {
        return label;
    }

    static ThreadKind ofLedger(int value) {
        for (ThreadKind kind : values()) {
            if (kind.ledgerValue == value) {
                return kind;
            }
        }
        return JVM_OTHER;
    }

    /**
     * The kind by a name alone, for JVMs without the agent.
     *
     * @param name from a thread dump, or from /proc/PID/task/TID/comm, which has the first 15 bytes
     * @param javaThread whether the thread is known to be a java.lang.Thread
     */
    static ThreadKind ofName(String name, boolean javaThread) {
        if (name.equals("VM Thread")) {
            return VM_THREAD;
        }
        if (COMPILER_NAME.matcher(name).matches()) {
            return COMPILER;
        }
        if (javaThread) {
            return switch (name) {
                case "Reference Handler",
                        "Finalizer",
                        "Signal Dispatcher",
                        "Service Thread",
                        "Monitor Deflation Thread",
                        "Notification Thread",
                        "Common-Cleaner",
                        "Attach Listener",
                        "process reaper" -> JAVA_SYSTEM;
                default -> JAVA;
            };
        }
        if (WORKER_NAME.matcher(name).matches()) {
            return GC_WORKER;
        }
        return CONCURRENT_NAME.matcher(name).matches() ? CONCURRENT_GC : JVM_OTHER;
    }
}
