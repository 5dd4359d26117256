package ayatori.bench;

import ayatori.bench.ReadingRun.Cell;
import ayatori.bench.ReadingRun.Reading;
import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.List;

/**
 * What the paper's figure 7 leaves: where the disk is the bottleneck, no protocol helps. 50 files are read once each beside a
 * backup by many threads, under VPSET, with disk servers whose I/O priority follows the request and without, where one block
 * waits for the disk at a time, where a few do, and where all do.
 */
final class IoPriorities implements Measurement {
    private static final String READING = "50:1";
    private static final int COPIERS = 8;
    private static final int ROUNDS = 50;
    private static final int SHORT_ROUNDS = 3;

    /** Threads of block and disk servers. */
    private record Shape(int blockThreads, int diskThreads, String title) {
        String variant(boolean ioPriorities) {
            return "VPSET:" + blockThreads + ":" + diskThreads + ":" + ioPriorities;
        }
    }

    // More block servers than copiers, so that the reader finds one.
    private static final List<Shape> SHAPES = List.of(
            new Shape(1, 1, "1 disk server"), new Shape(12, 4, "4 disk servers"), new Shape(12, 12, "12 disk servers"));

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (!ReadingRun.isPossible()) {
            return false;
        }
        int rounds = bench.count(ROUNDS, SHORT_ROUNDS);
        List<String> variants = SHAPES.stream()
                .flatMap(shape -> List.of(shape.variant(false), shape.variant(true)).stream())
                .toList();
        ReadingRun run = ReadingRun.of(
                bench,
                new ReadingRun.Plan(rounds, COPIERS, String.join(",", variants), "none,backup", READING, "0"),
                "ioprio-rounds");
        Bench.say(
                "50 files read once each, VPSET, beside a backup by %d threads, ms, medians of %d rounds: in all (the slowest read;"
                        + " files copied meanwhile)",
                COPIERS, rounds);
        try (Csv csv = bench.folder().csv("ioprio", "panel,group,series,value,unit,slowest_ms,copied,rounds")) {
            for (Shape shape : SHAPES) {
                tell(csv, run, shape, rounds);
            }
        }
        PlotPage.write(
                bench.folder(),
                "bars.html",
                "ioprio",
                "50 files read once each by an urgent thread, VPSET, I/O scheduler "
                        + DiskQueue.of(Bench.scratch()).scheduler());
        return run.isRight();
    }

    private static void tell(Csv csv, ReadingRun run, Shape shape, int rounds) throws IOException {
        for (String background : List.of("none", "backup")) {
            for (boolean follows : List.of(false, true)) {
                Cell cell = new Cell(shape.variant(follows), background, READING, 0);
                for (boolean slowest : List.of(false, true)) {
                    csv.row(
                            slowest ? "the slowest read" : "50 reads",
                            shape.title() + ", " + (background.equals("none") ? "alone" : "beside a backup"),
                            follows ? "I/O priority of the request" : "no I/O priority",
                            run.median(cell, slowest ? Reading::slowest : Reading::total),
                            "ms",
                            run.median(cell, Reading::slowest),
                            run.median(cell, Reading::copied),
                            rounds);
                }
            }
        }
        Cell alone = new Cell(shape.variant(false), "none", READING, 0);
        Cell without = new Cell(shape.variant(false), "backup", READING, 0);
        Cell with = new Cell(shape.variant(true), "backup", READING, 0);
        Bench.say(
                "  %-15s  alone %6.2f (%.2f)  beside: no I/O priority %6.2f (%.2f; %.0f)  that of the request %6.2f (%.2f; %.0f):"
                        + " %.2f times",
                shape.title(),
                run.median(alone, Reading::total),
                run.median(alone, Reading::slowest),
                run.median(without, Reading::total),
                run.median(without, Reading::slowest),
                run.median(without, Reading::copied),
                run.median(with, Reading::total),
                run.median(with, Reading::slowest),
                run.median(with, Reading::copied),
                run.median(with, Reading::total) / run.median(without, Reading::total));
    }
}
