package ayatori.bench;

import ayatori.bench.ProgramBuild.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** MPJ Express, which is in no registry: measured where MPJ_HOME says that it is installed, as its own launcher has it. */
final class MpjExpress {
    private static final String NAME = "MPJ Express";
    private static final String HOME = "MPJ_HOME";
    private static final String REMEDY =
            "unpack MPJ Express 0.44 from http://mpjexpress.org, and let " + HOME + " be where";

    private MpjExpress() {}

    /** Builds our program against it; without it nothing, and it is said what brings it. */
    static Optional<Peer> build(Jdk jdk) throws IOException, InterruptedException {
        Optional<String> home = Optional.ofNullable(System.getenv(HOME)).filter(path -> !path.isEmpty());
        if (home.isEmpty()) {
            return leftOut("no " + HOME + ": " + REMEDY);
        }
        Path library = Path.of(home.get(), "lib", "mpj.jar").toAbsolutePath();
        Path classes = ProgramBuild.target().resolve("mpj");
        Optional<String> failure =
                ProgramBuild.failure(List.of(new Need(library.toString(), REMEDY)), compiler(jdk, library, classes));
        if (failure.isPresent()) {
            return leftOut(failure.get());
        }
        String classPath = classPath(classes, library);
        return Optional.of(new Peer(NAME, List.of(jdk.java(), "-cp", classPath, "ayatori.bench.load.MpjTimes")));
    }

    private static List<String> compiler(Jdk jdk, Path library, Path classes) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                jdk.home().resolve("bin/javac").toString(), "-nowarn", "-proc:none", "-d", classes.toString(), "-cp"));
        command.add(classPath(library));
        try (Stream<Path> sources = Files.walk(Bench.root().resolve("bench/src/main/mpj"))) {
            sources.map(Path::toString).filter(path -> path.endsWith(".java")).forEach(command::add);
        }
        return command;
    }

    private static String classPath(Path... first) {
        List<String> places = new ArrayList<>();
        for (Path one : first) {
            places.add(one.toString());
        }
        places.add(Bench.loadClassPath());
        return String.join(":", places);
    }

    private static Optional<Peer> leftOut(String why) {
        Bench.say("%s is left out: %s", NAME, why);
        return Optional.empty();
    }
}
