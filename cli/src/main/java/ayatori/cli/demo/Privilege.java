package ayatori.cli.demo;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Sched;
import java.io.IOException;

/**
 * What the kernel lets this user do, found by trying it on the calling thread and taking it back.
 *
 * @param realTimeErrno 0, or why a thread cannot be made real-time
 * @param niceErrno 0, or why a nice below 0 cannot be had
 */
record Privilege(int realTimeErrno, int niceErrno) {
    /** The highest static priority that the experiment uses: the rank of the watching thread. */
    static final int HIGHEST = 29;

    /** HotSpot's nice for Java priority 9 under policy 1, the lowest that the experiment asks for. */
    private static final int LOWEST_NICE = -4;

    /** What a configuration needs of the kernel. */
    enum Need {
        NOTHING,
        NEGATIVE_NICE,
        REAL_TIME
    }

    /** Tries on a thread of its own: without privilege a raised nice or a lowered policy cannot be taken back. */
    static Privilege probe() throws InterruptedException {
        int[] errnos = new int[2];
        Thread trial = Thread.ofPlatform().name("privilege-probe").start(() -> {
            errnos[0] = -Sched.setAttributes(0, realTime(HIGHEST));
            if (errnos[0] == 0) {
                Sched.setAttributes(0, new Sched.Attributes(Sched.OTHER, 0, 0, 0, 0, 0, 0));
            }
            errnos[1] = -Sched.setNice(0, LOWEST_NICE);
        });
        trial.join();
        return new Privilege(errnos[0], errnos[1]);
    }

    /** SCHED_RR at the given value; threads and processes made by such a thread are ordinary again. */
    static Sched.Attributes realTime(int value) {
        return new Sched.Attributes(Sched.RR, Sched.RESET_ON_FORK, 0, value, 0, 0, 0);
    }

    /** Whether a configuration with this need shows what it claims to show. */
    boolean grants(Need need) {
        return switch (need) {
            case NOTHING -> true;
            case NEGATIVE_NICE -> niceErrno == 0;
            case REAL_TIME -> realTimeErrno == 0;
        };
    }

    /** Why it cannot be had, and the remedy, for a need that is not granted. */
    String refusal(Need need) {
        if (need == Need.NEGATIVE_NICE) {
            return "nice " + LOWEST_NICE + " refused (" + Errno.name(niceErrno) + "); raise RLIMIT_NICE to "
                    + (20 - LOWEST_NICE) + " or grant CAP_SYS_NICE";
        }
        return "RR " + HIGHEST + " refused (" + Errno.name(realTimeErrno) + "); raise RLIMIT_RTPRIO to " + HIGHEST
                + " or grant CAP_SYS_NICE" + limitNow();
    }

    private static String limitNow() {
        try {
            return " (RLIMIT_RTPRIO is "
                    + Sched.getLimit(0, Sched.RLIMIT_RTPRIO).soft() + " now)";
        } catch (IOException e) {
            return "";
        }
    }
}
