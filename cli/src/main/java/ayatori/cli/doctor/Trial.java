package ayatori.cli.doctor;

import ayatori.internal.linux.Sched;

/**
 * What the kernel answers when this process asks for the ladder: on a thread of its own, which ends right after.
 *
 * @param realTimeErrno 0, or why the thread cannot be made real-time
 * @param niceErrno 0, or why a nice below 0 cannot be had
 */
record Trial(int realTimeErrno, int niceErrno) {

    static Trial run(Needs needs) throws InterruptedException {
        int[] errnos = new int[2];
        Thread trial = Thread.ofPlatform().name("doctor-trial").start(() -> {
            errnos[0] = -Sched.setAttributes(0, attributes(Sched.RR, needs.realTime()));
            if (errnos[0] == 0) {
                Sched.setAttributes(0, attributes(Sched.OTHER, 0));
            }
            errnos[1] = -Sched.setNice(0, Needs.NICE);
        });
        trial.join();
        return new Trial(errnos[0], errnos[1]);
    }

    private static Sched.Attributes attributes(int policy, int priority) {
        return new Sched.Attributes(policy, Sched.RESET_ON_FORK, 0, priority, 0, 0, 0);
    }
}
