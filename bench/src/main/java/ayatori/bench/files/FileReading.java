package ayatori.bench.files;

import ayatori.bench.load.PinnedWork;
import ayatori.server.PriorityProtocol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * {@code FileReading FOLDER PLACE ROUNDS CLIENTS_CPU SERVERS_CPU COPIERS VARIANTS BACKGROUNDS READINGS NANOS}: a reader of Java priority
 * 8 reads files of 4 KB through the file service, whose servers are on another CPU, while {@link Backup} copies others. The last
 * four are lists with commas: variants of the service, PROTOCOL:BLOCK_THREADS:DISK_THREADS:IO_PRIORITIES (VPSET:1:1:false) in this
 * process, PROTOCOL:processes by the {@link ServerProcess}es of PLACE; what goes on beside, {@code none}, {@code backup}, {@code middle} (the backup, and a thread of priority 6 that computes on the
 * servers' CPU two thirds of the time); the readings, FILES:TIMES (1:50, 50:1); what reader and backup compute after each file,
 * nanoseconds. All take turns. What is asked for is not in the cache before each reading. FOLDER gets the disks.
 *
 * <p>Prints {@code result,read,VARIANT,BACKGROUND,READING,NANOS,TOOK,SLOWEST,COPIED,WRONG} for each reading: nanoseconds for all
 * and for the slowest of its reads; the files that were copied meanwhile; reads of something else than was asked for. At the
 * end, for each variant, {@code result,check,VARIANT,FILES,WRONG}: what is on the disk.
 */
public final class FileReading {
    private static final int READER = 8;
    private static final int SOURCES = 50;
    private static final int MOST_WARM_UP = 5;

    private final int serversCpu;
    private final int copiers;
    private boolean told;

    /** A service with its own disk. */
    private record Variant(String name, FileService service) {
        static Variant of(String name, Path folder, Path place) throws IOException {
            List<String> words = List.of(name.split(":", -1));
            PriorityProtocol protocol = PriorityProtocol.valueOf(words.get(0));
            if (words.get(1).equals("processes")) {
                return new Variant(name, new SharedFileService(place, protocol));
            }
            return new Variant(
                    name,
                    new LocalFileService(
                            protocol,
                            BlockDevice.create(folder.resolve(name.replace(':', '-'))),
                            Integer.parseInt(words.get(1)),
                            Integer.parseInt(words.get(2)),
                            Boolean.parseBoolean(words.get(3))));
        }

        /** The files that are read and copied. */
        void fill() throws InterruptedException, ExecutionException {
            try (FileClient client = service.client()) {
                for (int i = 0; i < SOURCES; i++) {
                    client.write(read(i), Block.of(read(i)));
                }
                for (int i = 0; i < Backup.FILES; i++) {
                    client.write(Backup.source(i), Block.of(Backup.source(i)));
                }
            }
        }

        void forget() throws InterruptedException, ExecutionException {
            try (FileClient client = service.client()) {
                client.forget();
            }
        }

        /** Wrong ones among all that should be on the disk. */
        void check(boolean copied) throws InterruptedException, ExecutionException {
            int checked = 0;
            int wrong = 0;
            try (FileClient client = service.client()) {
                client.forget();
                for (int i = 0; i < SOURCES; i++, checked++) {
                    wrong += client.read(read(i)).equals(Block.of(read(i))) ? 0 : 1;
                }
                for (int i = 0; copied && i < Backup.FILES; i++, checked++) {
                    wrong += client.read(Backup.target(i)).equals(Block.of(Backup.source(i))) ? 0 : 1;
                }
            }
            System.out.println("result,check," + name + "," + checked + "," + wrong);
        }
    }

    /** What a reading took. */
    private record Reading(long nanos, long slowest, int wrong) {}

    private FileReading(int serversCpu, int copiers) {
        this.serversCpu = serversCpu;
        this.copiers = copiers;
    }

    private static String read(int number) {
        return "data/" + number;
    }

    private static Reading read(Variant variant, int files, int times, long computeNanos)
            throws InterruptedException, ExecutionException {
        List<Block> wanted = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            wanted.add(Block.of(read(i)));
        }
        long slowest = 0;
        int wrong = 0;
        try (FileClient client = variant.service().client()) {
            long begin = System.nanoTime();
            for (int i = 0; i < files * times; i++) {
                long beginOfOne = System.nanoTime();
                Block block = client.read(read(i % files));
                slowest = Math.max(slowest, System.nanoTime() - beginOfOne);
                wrong += block.equals(wanted.get(i % files)) ? 0 : 1;
                if (computeNanos > 0) {
                    PinnedWork.compute(computeNanos);
                }
            }
            return new Reading(System.nanoTime() - begin, slowest, wrong);
        }
    }

    private void round(Variant variant, String background, String reading, long computeNanos)
            throws InterruptedException, ExecutionException {
        variant.forget();
        List<String> numbers = List.of(reading.split(":", -1));
        FutureTask<Reading> reader = new FutureTask<>(
                () -> read(variant, Integer.parseInt(numbers.get(0)), Integer.parseInt(numbers.get(1)), computeNanos));
        int copied = 0;
        long preempted = 0;
        if (background.equals("none")) {
            Thread.ofPlatform().priority(READER).start(reader);
            reader.get();
        } else {
            Middle middle = new Middle(background.equals("middle"), serversCpu);
            Backup backup = new Backup(variant.service(), copiers, computeNanos);
            middle.awaitBegin();
            backup.awaitBegin();
            Thread.ofPlatform().priority(READER).start(reader);
            reader.get();
            copied = backup.copied();
            preempted = middle.end();
            backup.end();
        }
        if (told) {
            Reading took = reader.get();
            System.out.printf(
                    "result,read,%s,%s,%s,%d,%d,%d,%d,%d,%d%n",
                    variant.name(),
                    background,
                    reading,
                    computeNanos,
                    took.nanos(),
                    took.slowest(),
                    copied,
                    took.wrong(),
                    preempted);
        }
    }

    /** Leaves the CPUs to others for a third of what it has had: else the agent's guard takes the threads for runaways. */
    private static void rest(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos / 3);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            System.exit(1); // servers and backup would go on
        });
        List<String> backgrounds = List.of(arguments[7].split(",", -1));
        long[] computeNanos = Arrays.stream(arguments[9].split(",", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        int serversCpu = Integer.parseInt(arguments[4]);
        PinnedWork.moveTo(serversCpu); // and what it starts
        List<Variant> variants = new ArrayList<>();
        for (String name : arguments[6].split(",", -1)) {
            variants.add(Variant.of(name, Path.of(arguments[0]), Path.of(arguments[1])));
        }
        PinnedWork.moveTo(Integer.parseInt(arguments[3])); // the same
        for (Variant variant : variants) {
            variant.fill();
        }
        FileReading measured = new FileReading(serversCpu, Integer.parseInt(arguments[5]));
        int rounds = Integer.parseInt(arguments[2]);
        List<Variant> turn = new ArrayList<>(variants);
        for (int i = -Math.min(MOST_WARM_UP, rounds); i < rounds; i++) {
            measured.told = i >= 0;
            for (String background : backgrounds) {
                for (String reading : arguments[8].split(",", -1)) {
                    for (long nanos : computeNanos) {
                        for (Variant variant : turn) {
                            long begin = System.nanoTime();
                            measured.round(variant, background, reading, nanos);
                            rest(System.nanoTime() - begin);
                        }
                    }
                }
            }
            Collections.rotate(turn, 1);
        }
        for (Variant variant : variants) {
            variant.check(!backgrounds.equals(List.of("none")));
            variant.service().close();
        }
    }
}
