package ayatori.sched;

/** Run with the agent, policy static: the library's ledger and the agent's are one. */
public final class AgentLedgerProbe {
    private AgentLedgerProbe() {}

    @SuppressWarnings({"try", "ThreadPriorityCheck"
    }) // priorities are what it is about; the thread ends while it is owed something: that is the test
    public static void main(String[] arguments) throws Exception {
        PriorityLedger ledger = PriorityLedger.ofThisProcess();
        System.out.println("agent keeps the ledger: " + ledger.isKeptByAgent());
        try (ParkedThread parked = new ParkedThread("probe")) {
            LinuxThread thread = parked.linuxThread();
            expect("born at priority 5", 110, thread, ledger);
            PriorityLedger.Due due = ledger.owe(thread, 117);
            expect("owed 17", 117, thread, ledger);
            PriorityLedger.Due lower = ledger.owe(thread, 113);
            expect("owed 17 and 13", 117, thread, ledger);
            parked.javaThread().setPriority(7); // the agent's doing, below what is owed
            expect("own level raised below the dues", 117, thread, ledger);
            due.close();
            expect("own 14, owed 13", 114, thread, ledger);
            lower.change(115);
            expect("own 14, owed 15", 115, thread, ledger);
            lower.close();
            expect("own 14", 114, thread, ledger);
            lower.close();
            ledger.setOwn(thread, SchedulingParameters.roundRobin(3));
            expect("own set by the library", 103, thread, ledger);
            PriorityLedger.Due open = ledger.owe(thread, 119);
            parked.close();
            open.close();
        }
        System.out.println("all as expected");
    }

    private static void expect(String what, int rank, LinuxThread thread, PriorityLedger ledger) {
        if (ledger.rank(thread) != rank || thread.get().rank() != rank) {
            System.out.println(
                    what + ": ledger says " + ledger.rank(thread) + ", kernel has " + thread.get() + ", not " + rank);
            System.exit(1);
        }
    }
}
