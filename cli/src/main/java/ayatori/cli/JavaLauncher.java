package ayatori.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The {@code java} of a JDK or JRE.
 *
 * @param home the folder above its bin
 * @param hotSpot false if the JVM behind it is another (OpenJ9)
 */
record JavaLauncher(Path home, boolean hotSpot) {
    /** os.arch to the name of the folder in the layout up to JDK 9: lib/amd64/server/libjvm.so. */
    private static final Map<String, String> ARCH_FOLDER = Map.of("amd64", "amd64", "aarch64", "aarch64");

    private static final List<String> VARIANTS = List.of("server", "client", "zero");

    /** The launcher that a program is once its symbolic links are resolved; empty if it is none. */
    static Optional<JavaLauncher> of(Path program) {
        Path real;
        try {
            real = program.toRealPath();
        } catch (IOException e) {
            return Optional.empty();
        }
        Path bin = real.getParent();
        if (!real.endsWith("java") || bin == null || !bin.endsWith("bin") || bin.getParent() == null) {
            return Optional.empty();
        }
        Path home = bin.getParent();
        String arch = ARCH_FOLDER.getOrDefault(System.getProperty("os.arch"), "unknown");
        for (Path lib : List.of(home.resolve("lib"), home.resolve("lib/" + arch), home.resolve("jre/lib/" + arch))) {
            if (VARIANTS.stream().anyMatch(v -> Files.exists(lib.resolve(v).resolve("libjvm.so")))) {
                return Optional.of(new JavaLauncher(home, !openJ9(home, lib)));
            }
        }
        return Optional.empty();
    }

    private static boolean openJ9(Path home, Path lib) {
        // OpenJ9's lib/server/libjvm.so only redirects to the VM in one of these folders.
        if (List.of("j9vm", "default", "compressedrefs").stream().anyMatch(f -> Files.isDirectory(lib.resolve(f)))) {
            return true;
        }
        try {
            return Files.readString(home.resolve("release"), StandardCharsets.ISO_8859_1)
                    .contains("JVM_VARIANT=\"OpenJ9\"");
        } catch (IOException e) {
            return false;
        }
    }
}
