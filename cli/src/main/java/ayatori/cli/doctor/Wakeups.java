package ayatori.cli.doctor;

import java.util.Optional;

/**
 * How late a thread woke up that slept until an instant, over and over; nanoseconds.
 *
 * @param level what the thread was, such as {@code RR 25}
 * @param refused why it was not real-time, if it was not
 * @param seconds for how long
 * @param count of wake-ups
 * @param median half of them were at most so late
 * @param p99 99 % of them
 * @param p999 99.9 % of them
 * @param max the latest
 * @param stolenMillis what the hypervisor gave to others meanwhile, over all CPUs
 */
record Wakeups(
        String level,
        Optional<String> refused,
        int seconds,
        long count,
        long median,
        long p99,
        long p999,
        long max,
        long stolenMillis) {}
