package ayatori.sched;

/** Run as a user without privileges: tries what needs one, and prints what it is told. */
public final class UnprivilegedProbe {
    private UnprivilegedProbe() {}

    public static void main(String[] arguments) throws Exception {
        LinuxThread other = LinuxThread.of(Integer.parseInt(arguments[0]));
        try (ParkedThread parked = new ParkedThread("probe")) {
            LinuxThread thread = parked.linuxThread();
            thread.set(SchedulingParameters.other(3));
            refused(thread, "RR 20");
            refused(thread, "OTHER nice -4");
            refused(thread, "DEADLINE runtime 1ms deadline 5ms period 5ms");
            refused(other, "IDLE");
            ledger(thread);
        }
    }

    private static void refused(LinuxThread thread, String wanted) {
        try {
            thread.set(SchedulingParameters.parse(wanted));
            System.out.println("set " + wanted);
        } catch (SchedulingException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void ledger(LinuxThread thread) {
        PriorityLedger ledger = PriorityLedger.ofThisProcess();
        try {
            ledger.owe(thread, 115).close();
        } catch (SchedulingException e) {
            System.out.println("ledger refused " + e.wanted().orElseThrow() + ", and owes rank " + ledger.rank(thread));
        }
        int rank;
        try (var due = ledger.owe(thread, 10)) {
            rank = ledger.rank(due.thread());
        }
        System.out.println("ledger owed rank " + rank + " below its own, own nice "
                + thread.get().nice() + " is back");
    }
}
