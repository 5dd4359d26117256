package ayatori.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The folder of raw results of one run: a CSV file a measurement, and what a reader must know of the host. */
final class RunFolder {
    private final Path folder;

    RunFolder(Path folder) {
        this.folder = folder;
    }

    /** Host, JDKs and command; no names or paths of the machine. */
    void host(List<Jdk> jdks, String command) throws IOException {
        Files.createDirectories(folder);
        StringBuilder text = new StringBuilder();
        text.append("command: ").append(command).append('\n');
        text.append("agent: ").append(Bench.agentVersion()).append('\n');
        text.append("kernel: ")
                .append(System.getProperty("os.name"))
                .append(' ')
                .append(System.getProperty("os.version"))
                .append(' ')
                .append(System.getProperty("os.arch"))
                .append('\n');
        text.append("processor: ").append(processor()).append('\n');
        text.append("CPUs: ").append(Runtime.getRuntime().availableProcessors()).append('\n');
        for (Jdk jdk : jdks) {
            text.append("JDK: ")
                    .append(jdk.version())
                    .append(", ")
                    .append(jdk.vendor())
                    .append('\n');
        }
        Files.writeString(
                folder.resolve(
                        "host-" + command.replaceFirst("^bench/run ?", "").replaceAll("\\W+", "-") + ".txt"),
                text);
    }

    private static String processor() throws IOException {
        return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 2))
                .findFirst()
                .orElse("unknown");
    }

    /** Where a file of this name would be; the folder is there. */
    Path file(String name) throws IOException {
        Files.createDirectories(folder);
        return folder.resolve(name);
    }

    void write(String name, String text) throws IOException {
        Files.writeString(file(name), text);
    }

    String read(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    Csv csv(String name, String header) throws IOException {
        BufferedWriter writer = Files.newBufferedWriter(file(name + ".csv"));
        writer.write(header + "\n");
        return new Csv(writer);
    }

    /** A CSV file that is written line by line, so that a broken-off run keeps what it had. */
    static final class Csv implements AutoCloseable {
        private final BufferedWriter writer;

        private Csv(BufferedWriter writer) {
            this.writer = writer;
        }

        void row(Object... values) throws IOException {
            StringBuilder line = new StringBuilder();
            for (Object value : values) {
                line.append(line.isEmpty() ? "" : ",");
                if (value instanceof Double number) {
                    line.append(String.format(Locale.ROOT, "%.6g", number));
                } else {
                    String text = value.toString();
                    line.append(text.contains(",") ? '"' + text + '"' : text);
                }
            }
            writer.write(line.append('\n').toString());
            writer.flush();
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }
    }
}
