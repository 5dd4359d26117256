package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Finished;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the scheduler goes through, and what the host goes through when the kernel throws it out. */
@Tag("guests")
class SchedulerLastsIT {
    /**
     * With the kernel's limit for real-time threads as it is. 7.2 lets ordinary threads run beside these; 6.18 and before wait
     * for 30 to 45 s.
     */
    @Test
    void theKernelThrowsItOutIfAThreadCannotRun() {
        Finished finished = SchedulerIT.run(Guest.of("6.18").withClock(5), """
                "$A" start auto || exit 1
                taskset -c 1 "$L" spin 52 1 2:0:yield & loads=$!
                taskset -c 0 "$L" spin 52 1 & beside=$!
                sleep 0.5
                taskset -c 1 chrt -f 40 bash -c 'SECONDS=0; while [ $SECONDS -lt 50 ]; do :; done' &
                taskset -pc 0 $$ >/dev/null
                for i in $(seq 48); do
                    sleep 1
                    [ $(cat /sys/kernel/sched_ext/state) = enabled ] || break
                done
                "$A" status | sed -n 's/^left\\t/reason /p'
                wait $loads && wait $beside; echo "went-on $?"
                "$A" start auto && sleep 1; echo "again $(cat /sys/kernel/sched_ext/state)"; "$A" stop
                """);
        assertTrue(
                SchedulerIT.said(finished, "reason")
                        // The thread that cannot run may be the one that looks for such threads.
                        .matches("\\d+\\trunnable task stall\\t.* failed to (run|check in) for [34]\\d\\.\\d+s"),
                finished.out());
        assertEquals("0", SchedulerIT.said(finished, "went-on"));
        assertEquals("enabled", SchedulerIT.said(finished, "again"));
        assertTrue(
                SchedulerIT.said(finished, "spin")
                        .lines()
                        .allMatch(line -> Long.parseLong(line.split(" ")[2]) > 100_000_000),
                finished.out());
    }

    /** Of real time; {@code bench/run churn} takes an hour of it. */
    @Test
    void aMinuteOfWhateverCanHappen() {
        SchedulerIT.run(Guest.of("7.2").inRealTime(), """
                "${L%%loads}churn" 45 %d "$A"
                """.formatted(System.nanoTime()));
    }
}
