/**
 * Scheduling policies and priorities of Linux threads, set so that they hold, and said so when they do not.
 *
 * <p>A {@link ayatori.sched.LinuxThread} is a thread as the kernel sees it, of this process or another. What it asks of the
 * scheduler is a {@link ayatori.sched.SchedulingParameters}: a {@link ayatori.sched.SchedulingPolicy} and the numbers that
 * belong to it. Setting reads back what the kernel has: it takes effect, or it throws a
 * {@link ayatori.sched.SchedulingException} that tells what the kernel kept and what to do about it.
 *
 * <pre>{@code
 * LinuxThread renderer = LinuxThread.current();
 * try {
 *     renderer.set(SchedulingParameters.roundRobin(20));
 * } catch (SchedulingException e) {
 *     log.warn(e.getMessage());
 *     // thread 4711 "renderer": wanted RR 20, kernel kept OTHER (EPERM); raise RLIMIT_RTPRIO (it is 0, and this
 *     // needs 20) or grant CAP_SYS_NICE
 * }
 * }</pre>
 *
 * <p>Where Java's priorities 1 to 10 stand is said by the {@link ayatori.sched.PriorityLadder}:
 *
 * <pre>{@code
 * PriorityLadder ladder = PriorityLadder.of(PriorityLadder.Policy.MIXED);
 * ladder.forJavaPriority(8);        // RR 16
 * ladder.inheritedFrom(8);          // RR 15: above every lower priority, just below 8 itself
 * ladder.forJavaPriority(3);        // OTHER nice 2
 * }</pre>
 *
 * <p><b>Lending a priority.</b> Code that raises a thread for a while, because a more urgent one waits for it, must not do
 * so by {@code set}: two causes at once would undo each other. They go through the {@link ayatori.sched.PriorityLedger},
 * which knows each thread's own level and all levels that it is owed at the moment:
 *
 * <pre>{@code
 * try (var due = PriorityLedger.ofThisProcess().owe(owner, urgent.get().rank())) {
 *     waitFor(owner);
 * } // the owner is back at max(own, what others still owe it)
 * }</pre>
 *
 * <p><b>Rank.</b> One number that orders levels across policies, {@link ayatori.sched.SchedulingParameters#rank}: SCHED_OTHER
 * with nice n is 20 − n (1 to 40), a real-time value v is 100 + v (101 to 199).
 *
 * <p>The module needs {@code --enable-native-access=ayatori.threads}. Everything in this package may be used by many
 * threads at once.
 */
package ayatori.sched;
