package ayatori.sched;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the tests in a virtual machine of its own. */
public final class ChildJvm {
    /** A launcher for one of another user, without any right. Needs root and setpriv. */
    public static final List<String> AS_NOBODY =
            List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all");

    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    private final List<String> command = new ArrayList<>();

    /** What a process printed, both streams, and how it ended. */
    public record Result(long pid, int exitCode, String output) {}

    /** A virtual machine that is started through another program, which gets the command line as its last arguments. */
    public ChildJvm(String... launcher) {
        command.addAll(List.of(launcher));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(NATIVE_ACCESS);
        command.add("-Xmx64m");
        command.add("-XX:-UsePerfData");
    }

    public ChildJvm with(String option) {
        command.add(option);
        return this;
    }

    /** One in which nobody may call native code. */
    public ChildJvm withoutNativeAccess() {
        command.set(command.indexOf(NATIVE_ACCESS), "--illegal-native-access=deny");
        return this;
    }

    public Result run(Class<?> main, String... arguments) throws IOException, InterruptedException {
        return run(main.getName(), arguments);
    }

    /** Compiles and runs a program of one source file, as java does. */
    public Result runSource(Path file, String... arguments) throws IOException, InterruptedException {
        return run(file.toAbsolutePath().toString(), arguments);
    }

    /** Starts a program and leaves it to the caller, which reads what it prints and ends it. */
    public Process start(Class<?> main, String... arguments) throws IOException {
        return builder(main.getName(), arguments)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private ProcessBuilder builder(String program, String... arguments) {
        Path target = Path.of(System.getProperty("basedir", "."), "target").toAbsolutePath();
        command.add("-cp");
        command.add(target.resolve("classes") + ":" + target.resolve("test-classes"));
        command.add(program);
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).directory(Path.of("/").toFile());
    }

    private Result run(String program, String... arguments) throws IOException, InterruptedException {
        Process process = builder(program, arguments).redirectErrorStream(true).start();
        Thread guard = Thread.ofPlatform().daemon().start(() -> {
            try {
                if (!process.waitFor(60, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
            }
        });
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.ISO_8859_1);
            return new Result(process.pid(), process.waitFor(), text);
        } finally {
            guard.interrupt();
        }
    }
}
