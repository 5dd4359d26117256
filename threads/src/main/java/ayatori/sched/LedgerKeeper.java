package ayatori.sched;

/** Who keeps the ledger of this process. All methods return 0 or more, or {@code -errno}. */
sealed interface LedgerKeeper permits AgentKeeper, KernelKeeper {
    /** Owes a thread a level; the same creditor again replaces what it owes. */
    int owe(LinuxThread thread, int rank, long creditor);

    /** Takes back what a creditor owes; ENOENT: nothing. */
    int settle(LinuxThread thread, long creditor);

    /** Sets the own level. */
    int setOwn(LinuxThread thread, SchedulingParameters own);

    /** The rank that the thread should have now. */
    int rank(LinuxThread thread);

    /** The rank that a thread of this Java priority lends; 0: Java priorities mean nothing here. */
    int lentRank(int javaPriority);
}
