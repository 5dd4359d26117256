package ayatori.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that are built before they are measured, where the host has what that takes. */
final class ProgramBuild {
    static final Need MAKE = new Need("make", "apt-get install make");
    static final Need GCC = new Need("gcc", "apt-get install gcc libc6-dev");

    private static final long LIMIT_SECONDS = 600;

    private ProgramBuild() {}

    /** What a program needs of the host: a command, or a file. */
    record Need(String thing, String remedy) {
        private boolean lacking() {
            return thing.startsWith("/")
                    ? !Files.exists(Path.of(thing))
                    : Stream.of(Optional.ofNullable(System.getenv("PATH"))
                                    .orElse("")
                                    .split(File.pathSeparator, -1))
                            .noneMatch(folder -> Files.isExecutable(Path.of(folder, thing)));
        }
    }

    /** Where what is built here goes. */
    static Path target() {
        return Bench.root().resolve("bench/target/peers");
    }

    /** Builds one of bench/src/main/c; or why not, in a line. */
    static Optional<String> failureInC(String program, List<Need> needs) throws IOException, InterruptedException {
        String sources = Bench.root().resolve("bench/src/main/c").toString();
        return failure(needs, List.of("make", "-s", "-C", sources, "BUILD=" + target(), program));
    }

    /** Builds; or why not, in a line. */
    static Optional<String> failure(List<Need> needs, List<String> build) throws IOException, InterruptedException {
        for (Need need : needs) {
            if (need.lacking()) {
                return Optional.of("no " + need.thing() + ": " + need.remedy());
            }
        }
        Path output = Files.createTempFile("ayatori-bench", ".out");
        try {
            Process process = Load.start(build, output);
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            if (ended && process.exitValue() == 0) {
                return Optional.empty();
            }
            return Optional.of(Files.readString(output)
                    .lines()
                    .filter(line -> line.contains("error"))
                    .findFirst()
                    .orElse(build.getFirst() + " has not ended after " + LIMIT_SECONDS + " s, or not well"));
        } finally {
            Files.delete(output);
        }
    }
}
