package ayatori.sched;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;

/** {@link SchedulingParameters} as text, both ways. */
final class SchedulingText {
    private static final String RESET_ON_FORK = "reset-on-fork";
    private static final String[] UNITS = {"s", "ms", "us", "ns"};
    private static final long[] NANOS = {1_000_000_000, 1_000_000, 1_000, 1};

    private final String text;
    private final Deque<String> words;

    private SchedulingText(String text) {
        this.text = text;
        this.words = new ArrayDeque<>(
                Arrays.asList(text.strip().toLowerCase(Locale.ROOT).split("\\s+")));
    }

    static String print(SchedulingParameters parameters) {
        StringBuilder line = new StringBuilder(parameters.policy().name());
        if (parameters.policy().isRealTime()) {
            line.append(' ').append(parameters.staticPriority());
        }
        if (parameters.nice() != 0) {
            line.append(" nice ").append(parameters.nice());
        }
        if (parameters.policy() == SchedulingPolicy.DEADLINE) {
            line.append(" runtime ").append(print(parameters.runtime()));
            line.append(" deadline ").append(print(parameters.deadline()));
            line.append(" period ").append(print(parameters.period()));
        }
        if (parameters.resetOnFork()) {
            line.append(' ').append(RESET_ON_FORK);
        }
        return line.toString();
    }

    /** In the largest unit in which it is a whole number. */
    static String print(Duration duration) {
        long nanos = duration.toNanos();
        int unit = 0;
        while (nanos % NANOS[unit] != 0) {
            unit++;
        }
        return nanos / NANOS[unit] + UNITS[unit];
    }

    static SchedulingParameters parse(String text) {
        return new SchedulingText(text).parse();
    }

    private SchedulingParameters parse() {
        SchedulingParameters parameters = parseWithoutFlag(policy(next()));
        if (RESET_ON_FORK.equals(words.peek())) {
            words.remove();
            parameters = parameters.withResetOnFork(true);
        }
        if (!words.isEmpty()) {
            throw bad("nothing is expected from \"" + words.peek() + "\" on");
        }
        return parameters;
    }

    private SchedulingParameters parseWithoutFlag(SchedulingPolicy policy) {
        int nice = 0;
        int staticPriority = 0;
        Duration runtime = Duration.ZERO;
        Duration deadline = Duration.ZERO;
        Duration period = Duration.ZERO;
        if (policy.isRealTime()) {
            staticPriority = number(next());
        } else if (policy == SchedulingPolicy.DEADLINE) {
            runtime = duration("runtime");
            deadline = duration("deadline");
            period = duration("period");
        } else if (policy.hasNice() && "nice".equals(words.peek())) {
            words.remove();
            nice = number(next());
        }
        return new SchedulingParameters(policy, nice, staticPriority, runtime, deadline, period, false);
    }

    private SchedulingPolicy policy(String word) {
        for (SchedulingPolicy policy : SchedulingPolicy.values()) {
            if (policy.name().toLowerCase(Locale.ROOT).equals(word)) {
                return policy;
            }
        }
        throw bad("policies are OTHER, FIFO, RR, BATCH, IDLE, DEADLINE, EXT");
    }

    private Duration duration(String key) {
        if (!next().equals(key)) {
            throw bad("\"" + key + "\" is expected");
        }
        String word = next();
        int digits = 0;
        while (digits < word.length() && Character.isDigit(word.charAt(digits))) {
            digits++;
        }
        int unit = Arrays.asList(UNITS).indexOf(word.substring(digits));
        if (unit < 0) {
            throw bad("\"" + word + "\" needs a unit: s, ms, us or ns");
        }
        try {
            return Duration.ofNanos(Math.multiplyExact(Long.parseLong(word.substring(0, digits)), NANOS[unit]));
        } catch (NumberFormatException | ArithmeticException e) {
            throw bad("\"" + word + "\" is no duration");
        }
    }

    private int number(String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw bad("\"" + word + "\" is no number");
        }
    }

    private String next() {
        String word = words.poll();
        if (word == null) {
            throw bad("it ends too early");
        }
        return word;
    }

    private IllegalArgumentException bad(String why) {
        return new IllegalArgumentException("scheduling parameters \"" + text + "\": " + why
                + "; write for instance \"RR 20\", \"OTHER nice 4\", \"IDLE\", \"FIFO 3 reset-on-fork\" or"
                + " \"DEADLINE runtime 2ms deadline 5ms period 10ms\"");
    }
}
