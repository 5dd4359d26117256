package ayatori.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;

/**
 * Runs classes of the TCK and writes one line for each test: {@code ok NAME}, {@code FAIL NAME: why}, {@code excluded NAME:
 * reason}, or {@code none NAME} for a test that passed without using a pool of ours, and so says nothing of it.
 */
public final class TckRun {
    private final Map<String, String> excluded;
    private final String prefix;

    private TckRun(Map<String, String> excluded, String prefix) {
        this.excluded = excluded;
        this.prefix = prefix;
    }

    /**
     * Runs classes.
     *
     * @param args the file of excluded tests, what to put before the names of tests in this run, then the classes
     */
    public static void main(String[] args) throws Exception {
        TckRun run = new TckRun(excluded(Path.of(args[0])), args[1]);
        for (String className : List.of(args).subList(2, args.length)) {
            for (Test test : Collections.list(new TestSuite(Class.forName(className)).tests())) {
                run.run(test, className + "." + ((TestCase) test).getName());
            }
        }
        System.out.flush();
        System.exit(0); // whatever threads a test has left behind
    }

    private void run(Test test, String name) {
        String reason = excluded.get(prefix + name);
        if (reason != null) {
            System.out.println("excluded " + prefix + name + ": " + reason);
        } else if (!excluded.containsKey(name)) { // else the run without prefix tells of it
            System.out.println(result(test, prefix + name));
        }
    }

    private static String result(Test test, String name) {
        long before = ThreadPoolExecutor.uses();
        TestResult result = new TestResult();
        test.run(result);
        if (result.wasSuccessful()) {
            return (ThreadPoolExecutor.uses() > before ? "ok " : "none ") + name;
        }
        TestFailure failure = result.errorCount() > 0
                ? result.errors().nextElement()
                : result.failures().nextElement();
        System.err.println(name + ": " + failure.trace());
        return "FAIL " + name + ": "
                + failure.thrownException().toString().lines().findFirst().orElse("");
    }

    /** Lines "NAME: reason", with or without a run's prefix; empty ones and those that begin with # say nothing. */
    private static Map<String, String> excluded(Path file) throws IOException {
        Map<String, String> reasons = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                int colon = line.indexOf(": ");
                reasons.put(line.substring(0, colon), line.substring(colon + 2));
            }
        }
        return reasons;
    }
}
