package ayatori.cli.why;

import java.util.OptionalInt;

/**
 * A thread that had the CPU, or that woke the watched one.
 *
 * @param name as {@code ayatori ps} shows it if it is of the watched JVM, else the kernel's
 * @param process its process; empty for the kernel's own threads, and for threads that ended before they were looked at
 * @param of what it belongs to, for people: {@code this JVM}, {@code java 4711}, {@code the kernel}
 * @param level policy and value
 * @param lower whether it stands below the watched thread, and that is real-time: so it had the CPU because the kernel
 *     throttles real-time threads, or until it gave way
 */
record Runner(int tid, String name, OptionalInt process, String of, String level, boolean lower) {}
