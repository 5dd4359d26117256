package ayatori.cli.doctor;

import ayatori.cli.doctor.ProcessFacts.Container;
import java.util.List;
import java.util.Optional;

/** Memory beside real-time threads: a page fault, and worse a page from swap, stops the highest thread too. */
final class MemoryCheck {
    static final String CHECK = "memory";

    private MemoryCheck() {}

    static List<Finding> of(HostFacts host, ProcessFacts process, Optional<JvmFacts> jvm) {
        boolean swappable = host.swapKib() > 0 && process.lockedKib() == 0;
        boolean touched = jvm.flatMap(facts -> facts.flag("AlwaysPreTouch")).orElse(false);
        if (jvm.isEmpty()) {
            return List.of(user(process, swappable));
        }
        if (process.realTimeThreads() == 0) {
            return List.of(Finding.of(
                    Verdict.OK, CHECK, "no real-time threads, so nothing needs to be locked or touched beforehand"));
        }
        if (touched && !swappable) {
            return List.of(Finding.of(
                    Verdict.OK,
                    CHECK,
                    "the heap was touched at the start, and "
                            + (process.lockedKib() > 0
                                    ? process.lockedKib() + " KiB are locked"
                                    : "there is no swap")));
        }
        Finding finding = Finding.of(
                Verdict.WARNING,
                CHECK,
                process.realTimeThreads() + " real-time thread" + (process.realTimeThreads() == 1 ? "" : "s")
                        + ", and memory is "
                        + (touched
                                ? "not locked"
                                : swappable ? "neither touched beforehand nor locked" : "not touched beforehand"));
        if (!touched) {
            finding = finding.because("each first use of a heap page is a page fault in the thread that does it")
                    .mend("JVM options", "-XX:+AlwaysPreTouch" + wholeHeap(jvm));
        }
        return List.of(swappable ? swap(finding, process) : finding);
    }

    /** Only what is committed at the start is touched then. */
    private static String wholeHeap(Optional<JvmFacts> jvm) {
        return jvm.map(facts -> facts.flags().get("MaxHeapSize"))
                .map(bytes -> " -Xms" + (Long.parseLong(bytes) >> 20) + "m")
                .orElse("");
    }

    private static Finding user(ProcessFacts process, boolean swappable) {
        String limit = process.lockLimit().soft() == Long.MAX_VALUE
                ? "all memory"
                : "at most " + process.lockLimit().soft() / 1024 + " KiB";
        Finding finding = Finding.of(
                Verdict.INFO,
                CHECK,
                limit + " can be locked (RLIMIT_MEMLOCK), and the host " + (swappable ? "swaps" : "has no swap"));
        return finding.mend("JVM options beside real-time threads", "-XX:+AlwaysPreTouch");
    }

    /** HotSpot locks nothing by itself: the way is to keep its group from being swapped. */
    private static Finding swap(Finding finding, ProcessFacts process) {
        finding = finding.because("the host swaps"
                + (process.swappedKib() > 0
                        ? ", and " + process.swappedKib() + " KiB of this JVM are swapped out now"
                        : ""));
        Container container = process.container().orElse(null);
        if (container == Container.KUBERNETES) {
            return finding.mend("kubelet configuration", "memorySwap: {swapBehavior: NoSwap}");
        }
        if (container != null) {
            return finding.mend(Grants.DOCKER, "docker run --memory=8g --memory-swap=8g --ulimit memlock=-1 …");
        }
        return finding.mend(Grants.UNIT, "MemorySwapMax=0")
                .mend(Grants.UNIT, "LimitMEMLOCK=infinity")
                .mend("the whole host", "sudo swapoff -a");
    }
}
