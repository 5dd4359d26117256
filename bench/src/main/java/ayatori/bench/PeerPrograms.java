package ayatori.bench;

import static ayatori.bench.ProgramBuild.GCC;
import static ayatori.bench.ProgramBuild.MAKE;

import ayatori.bench.ProgramBuild.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The peers that have to be built first, from {@code bench/src/main/c} and {@code bench/src/main/rust}. Where something for one
 * is not there, that one is left out, by its name and with what brings it.
 */
final class PeerPrograms {
    private static final String IN_RUST = "iceoryx2";

    private static final Need LIBDBUS = new Need("/usr/include/dbus-1.0/dbus/dbus.h", "apt-get install libdbus-1-dev");
    private static final Need DBUS_DAEMON = new Need("dbus-daemon", "apt-get install dbus-daemon");
    private static final Need CARGO = new Need("cargo", "Rust 1.89 or later from https://rustup.rs");

    private final Path target = ProgramBuild.target();
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
        add(name, target.resolve(program), ProgramBuild.failureInC(program, needs));
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
                ProgramBuild.failure(
                        List.of(CARGO, GCC),
                        List.of("cargo", "build", "--release", "--quiet", "--manifest-path", manifest)));
    }

    private void add(String name, Path program, Optional<String> failure) {
        if (failure.isEmpty()) {
            built.add(new Peer(name, List.of(program.toString())));
        } else {
            Bench.say("%s is left out: %s", name, failure.get());
        }
    }
}
