package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Finished;
import ayatori.cli.TargetJvm;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads under {@code ayatori aggregate run} that become real-time, and ordinary again. */
@Tag("guests")
class BringBackIT {
    /** What stands before the scripts: the policy of a thread, as linux/sched.h numbers it, and its nice value. */
    private static final String POLICY = """
            policy() {
                echo "$(sed -n 's/^policy *: *//p' $1/sched) $(sed 's/.*) //' $1/stat | cut -d ' ' -f 17)"
            }
            """;

    private static final String CHANGES = """
            export -f policy
            sleep 60 & stranger=$!
            "$A" run auto "$L" classes 3 & run=$!
            chrt -f -p 5 $stranger; chrt -o -p 0 $stranger
            wait $run
            echo "stranger $(policy /proc/$stranger)"
            "$A" run auto bash -c '
                sleep 60 & thread=$!
                renice -n 3 -p $thread >&2
                for to in b i; do
                    chrt -$to -p 0 $thread
                    sleep 0.2
                    echo "$to $(policy /proc/$thread)"
                done
                chrt -d -T 1000000 -D 9000000 -P 10000000 -p 0 $thread; echo "d $(policy /proc/$thread)"
                kill $thread'
            # Whoever asks inside a PID namespace counts otherwise than the kernel.
            unshare -p -f --mount-proc "$A" run auto bash -c '
                chrt -R -f 5 bash -c "sleep 60 & sleep 0.2; echo inside \\$(policy /proc/\\$!); kill \\$!"'
            """;
    private static final String JVM = """
            mkfifo in out
            exec 9<>in
            "$A" run always COMMAND <in >out & run=$!
            read -r line <out; echo "began $line"
            jvm=$(pgrep -x java)
            sleep 0.3
            for thread in /proc/$jvm/task/*; do echo "jvm $(tr ' ' _ <$thread/comm) $(policy $thread)"; done
            kill $jvm; wait $run; test $? = 143
            """;

    @Test
    void whoIsNotRealTimeIsUnderTheScheduler() {
        List<String> workers = TargetJvm.underAyatori(
                List.of(), TargetJvm.of(25).plain(List.of("-XX:TieredStopAtLevel=1"), "Workers"));
        Finished finished = SchedulerIT.run(
                Guest.any().inRealTime(), POLICY + CHANGES + JVM.replace("COMMAND", String.join(" ", workers)));
        String[] classes = SchedulerIT.said(finished, "classes").split(" ");
        int changes = Integer.parseInt(classes[0]);
        // Who is brought back in the moment in which it becomes real-time is put right, but a moment later.
        assertTrue(Integer.parseInt(classes[1]) <= changes / 50, finished.out());
        assertEquals(List.of("8", "8", "0"), List.of(classes).subList(2, 5), finished.out());
        assertEquals("0 0", SchedulerIT.said(finished, "stranger"), "not of the run");
        assertEquals("7 3", SchedulerIT.said(finished, "b"), finished.out());
        assertEquals("7 19", SchedulerIT.said(finished, "i"), finished.out());
        assertEquals("6 19", SchedulerIT.said(finished, "d"), finished.out());
        assertEquals("7 0", SchedulerIT.said(finished, "inside"), finished.out());

        assertEquals("ready", SchedulerIT.said(finished, "began"), finished.err());
        List<String> jvm = SchedulerIT.said(finished, "jvm").lines().toList();
        // The policy "mixed": 6 to 10 are SCHED_RR, the others have nice values.
        Stream.of("worker-6 2 0", "worker-8 2 0", "worker-10 2 0", "VM_Thread 2 0")
                .forEach(thread -> assertTrue(jvm.contains(thread), finished.out()));
        Stream.of("worker-5 7 0", "worker-3 7 2", "Finalizer 7 0")
                .forEach(thread -> assertTrue(jvm.contains(thread), finished.out()));
        assertTrue(jvm.stream().allMatch(line -> line.matches("\\S+ (2 0|7 -?\\d+)")), finished.out());
    }
}
