package ayatori.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDK to measure.
 *
 * @param home where it is; never written to results
 * @param version java.version, such as 17.0.15
 * @param vendor who built it
 */
record Jdk(Path home, String version, String vendor) {
    private static final Path USUAL_PLACE = Path.of("/usr/lib/jvm");
    private static final List<String> COLLECTORS = List.of("Serial", "Parallel", "G1", "Z", "Shenandoah");
    private static final Pattern PROPERTY = Pattern.compile("^(\\w+)=\"(.*)\"$", Pattern.MULTILINE);
    private static final int OLDEST = 17;

    int feature() {
        return Integer.parseInt(version.replaceFirst("\\D.*", ""));
    }

    String label() {
        return Integer.toString(feature());
    }

    String java() {
        return home.resolve("bin/java").toString();
    }

    /** The JDKs of this host that the loads run on, one of each feature release, from the oldest. */
    static List<Jdk> installed() throws IOException {
        Map<Integer, Jdk> found = new TreeMap<>();
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        if (Files.isDirectory(USUAL_PLACE)) {
            try (DirectoryStream<Path> places = Files.newDirectoryStream(USUAL_PLACE)) {
                places.forEach(homes::add);
            }
        }
        homes.sort(Comparator.naturalOrder());
        for (Path home : homes) {
            if (Files.isRegularFile(home.resolve("release")) && Files.isExecutable(home.resolve("bin/java"))) {
                Jdk jdk = read(home);
                if (jdk.feature() >= OLDEST) {
                    found.putIfAbsent(jdk.feature(), jdk);
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static Jdk read(Path home) throws IOException {
        Map<String, String> properties = new TreeMap<>();
        Matcher matcher = PROPERTY.matcher(Files.readString(home.resolve("release")));
        while (matcher.find()) {
            properties.put(matcher.group(1), matcher.group(2));
        }
        return new Jdk(
                home,
                properties.getOrDefault("JAVA_VERSION", "0"),
                properties.getOrDefault("IMPLEMENTOR", "unknown vendor"));
    }

    /** By the names in -XX:+Use…GC; those that this JDK refuses are left out. */
    List<String> collectors() throws InterruptedException, IOException {
        List<String> there = new ArrayList<>();
        for (String collector : COLLECTORS) {
            Process process = new ProcessBuilder(java(), "-XX:+Use" + collector + "GC", "-version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor() == 0) {
                there.add(collector);
            }
        }
        return there;
    }
}
