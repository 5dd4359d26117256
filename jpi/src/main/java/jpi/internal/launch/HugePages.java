package jpi.internal.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Huge pages for the heaps of workers. What messages allocate lies in memory that is new until the whole heap has been gone through,
 * and each page of that may take as long as thirty messages; a huge one takes the place of 512.
 */
final class HugePages {
    /** One of three words, the one in brackets, says who gets them; see Linux's admin-guide/mm/transhuge. */
    private static final Path ENABLED = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private static final String OPTION = "-XX:+UseTransparentHugePages";
    /** Where any of them is among the user's, that is what the user wants; ZGC's heap is shared memory, which has settings of its own. */
    private static final List<String> CHOICES = List.of("HugePages", "LargePage", "UseZGC");

    private HugePages() {}

    /**
     * What the JVM is to be told: where the kernel lends none, it would warn.
     *
     * @param chosen the user's own options for the workers
     */
    static List<String> options(List<String> chosen) {
        return options(chosen, ENABLED);
    }

    static List<String> options(List<String> chosen, Path enabled) {
        boolean isChosen = chosen.stream().anyMatch(option -> CHOICES.stream().anyMatch(option::contains));
        return !isChosen && areLent(enabled) ? List.of(OPTION) : List.of();
    }

    /** If the kernel lends them to who asks. */
    private static boolean areLent(Path enabled) {
        try {
            String words = Files.readString(enabled);
            return words.contains("[madvise]") || words.contains("[always]");
        } catch (IOException e) {
            return false; // a kernel without them
        }
    }
}
