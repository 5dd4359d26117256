package ayatori.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The peers that have to be built first, from {@code bench/src/main/c} and {@code bench/src/main/rust}. Where something for one
 * is not there, that one is left out, by its name and with what brings it.
 */
final class PeerPrograms {
    private static final long BUILD_SECONDS = 600;
    private static final String IN_RUST = "iceoryx2";

    /** What a peer needs of the host: a command, or a file. */
    private record Need(String thing, String remedy) {
        boolean lacking() {
            return thing.startsWith("/")
                    ? !Files.exists(Path.of(thing))
                    : Stream.of(Optional.ofNullable(System.getenv("PATH"))
                                    .orElse("")
                                    .split(File.pathSeparator, -1))
                            .noneMatch(folder -> Files.isExecutable(Path.of(folder, thing)));
        }
    }

    private static final Need MAKE = new Need("make", "apt-get install make");
    private static final Need GCC = new Need("gcc", "apt-get install gcc libc6-dev");
    private static final Need LIBDBUS = new Need("/usr/include/dbus-1.0/dbus/dbus.h", "apt-get install libdbus-1-dev");
    private static final Need DBUS_DAEMON = new Need("dbus-daemon", "apt-get install dbus-daemon");
    private static final Need CARGO = new Need("cargo", "Rust 1.89 or later from https://rustup.rs");

    private final Path target = Bench.root().resolve("bench/target/peers");
    private final List<Peer> built = new ArrayList<>();

    private PeerPrograms() {}

    /** Builds them; without that in Rust, which comes from the network, if it shall be quick. */
    static List<Peer> build(boolean quick) throws IOException, InterruptedException {
        PeerPrograms programs = new PeerPrograms();
        programs.addInC("futex", "futex", List.of(MAKE, GCC));
        programs.addInC("Unix socket", "socket", List.of(MAKE, GCC));
        programs.addInC("D-Bus", "dbus", List.of(MAKE, GCC, LIBDBUS, DBUS_DAEMON));
        programs.addInC("polling", "spin", List.of(MAKE, GCC));
        if (quick) {
            Bench.say("%s is left out of a smoke test: cargo fetches it", IN_RUST);
        } else {
            programs.addInRust();
        }
        return List.copyOf(programs.built);
    }

    private void addInC(String name, String program, List<Need> needs) throws IOException, InterruptedException {
        String sources = Bench.root().resolve("bench/src/main/c").toString();
        add(name, target.resolve(program), needs, List.of("make", "-s", "-C", sources, "BUILD=" + target, program));
    }

    /** In a copy: cargo writes a lock file beside the sources. */
    private void addInRust() throws IOException, InterruptedException {
        Path sources = Bench.root().resolve("bench/src/main/rust").resolve(IN_RUST);
        Path copy = target.resolve(IN_RUST);
        Files.createDirectories(copy.resolve("src"));
        for (String file : List.of("Cargo.toml", "src/main.rs")) {
            Files.copy(
                    sources.resolve(file),
                    copy.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        String manifest = copy.resolve("Cargo.toml").toString();
        add(
                IN_RUST,
                copy.resolve("target/release/iceoryx2-peer"),
                List.of(CARGO, GCC),
                List.of("cargo", "build", "--release", "--quiet", "--manifest-path", manifest));
    }

    private void add(String name, Path program, List<Need> needs, List<String> build)
            throws IOException, InterruptedException {
        Optional<String> why = needs.stream()
                .filter(Need::lacking)
                .findFirst()
                .map(need -> "no " + need.thing() + ": " + need.remedy());
        if (why.isEmpty()) {
            why = failure(build);
        }
        if (why.isEmpty()) {
            built.add(new Peer(name, List.of(program.toString())));
        } else {
            Bench.say("%s is left out: %s", name, why.get());
        }
    }

    /** Builds; or why not, in a line. */
    private static Optional<String> failure(List<String> build) throws IOException, InterruptedException {
        Path output = Files.createTempFile("ayatori-bench", ".out");
        try {
            Process process = Load.start(build, output);
            boolean ended = process.waitFor(BUILD_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            if (ended && process.exitValue() == 0) {
                return Optional.empty();
            }
            return Optional.of(Files.readString(output)
                    .lines()
                    .filter(line -> line.contains("error"))
                    .findFirst()
                    .orElse(build.getFirst() + " has not ended after " + BUILD_SECONDS + " s, or not well"));
        } finally {
            Files.delete(output);
        }
    }
}
