package ayatori.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A load program in a JVM of its own, under a time limit. Immutable: the {@code with…} methods give changed copies.
 *
 * @param program a class of the package ayatori.bench.load, or one with its package
 * @param agent options of the agent; null for stock, without it
 * @param before a command that becomes the JVM, such as {@code taskset -c 1}; mostly none
 */
record Load(
        Jdk jdk,
        String program,
        List<String> arguments,
        List<String> jvmArguments,
        @Nullable String agent,
        List<String> before) {

    static Load of(Jdk jdk, String program, Object... arguments) {
        List<String> words = new ArrayList<>();
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        return new Load(jdk, program, List.copyOf(words), List.of(), null, List.of());
    }

    Load withAgent(@Nullable String options) {
        return new Load(jdk, program, arguments, jvmArguments, options, before);
    }

    Load withJvm(String... options) {
        return new Load(jdk, program, arguments, List.of(options), agent, before);
    }

    Load onCpu(int one) {
        return by("taskset", "-c", Integer.toString(one));
    }

    Load by(String... words) {
        return new Load(jdk, program, arguments, jvmArguments, agent, List.of(words));
    }

    /**
     * What came of it.
     *
     * @param ended false: killed at the limit
     * @param results fields of the result lines, without the word "result"
     * @param messages all else that was printed
     */
    record Outcome(boolean ended, int exitCode, List<List<String>> results, List<String> messages) {
        boolean good() {
            return ended && exitCode == 0;
        }

        /** The same with more messages. */
        Outcome and(List<String> more) {
            List<String> all = new ArrayList<>(messages);
            all.addAll(more);
            return new Outcome(ended, exitCode, results, List.copyOf(all));
        }

        /** Values of the results with this key, those of its column (the first after the key is 1). */
        double[] values(String key, int column) {
            return results.stream()
                    .filter(fields -> fields.get(0).equals(key))
                    .mapToDouble(fields -> Double.parseDouble(fields.get(column)))
                    .toArray();
        }

        double value(String key, int column) {
            double[] values = values(key, column);
            return values.length == 0 ? Double.NaN : values[0];
        }
    }

    List<String> command() {
        List<String> command = new ArrayList<>(before);
        command.add(jdk.java());
        if (agent != null) {
            command.add("-agentpath:" + Bench.agentLibrary() + "=" + agent);
        }
        command.addAll(jvmArguments);
        command.addAll(List.of(
                "-cp", Bench.loadClassPath(), program.contains(".") ? program : "ayatori.bench.load." + program));
        command.addAll(arguments);
        return command;
    }

    /** Starts it; output goes to a file, since the driver may not get a CPU while real-time threads spin. */
    Process start(Path output) throws IOException {
        return start(command(), output);
    }

    /** The same, of any program. */
    static Process start(List<String> command, Path output) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Runs it to its end, or kills it at the limit. */
    Outcome run(long limitSeconds) throws IOException, InterruptedException {
        return run(program, command(), limitSeconds);
    }

    /** The same, of any program that prints as a load does. */
    static Outcome run(String name, List<String> command, long limitSeconds) throws IOException, InterruptedException {
        Path output = Files.createTempFile("ayatori-bench", ".out");
        try {
            Process process = start(command, output);
            boolean ended;
            try {
                process.getOutputStream().close();
                ended = process.waitFor(limitSeconds, TimeUnit.SECONDS);
            } finally {
                process.destroyForcibly();
            }
            int code = process.waitFor();
            Outcome outcome = outcome(ended, code, output);
            if (ended && code != 0) {
                outcome.messages().forEach(line -> System.err.println("  " + name + ": " + line));
            }
            return outcome;
        } finally {
            Files.delete(output);
        }
    }

    /** Reads what a load has printed so far. */
    static Outcome outcome(boolean ended, int code, Path output) throws IOException {
        List<List<String>> results = new ArrayList<>();
        List<String> messages = new ArrayList<>();
        String text = Files.readString(output, UTF_8);
        // The last line may be half written.
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            if (line.startsWith("result,")) {
                List<String> fields = List.of(line.split(",", -1));
                results.add(fields.subList(1, fields.size()));
            } else {
                messages.add(line);
            }
        }
        return new Outcome(ended, code, results, messages);
    }
}
