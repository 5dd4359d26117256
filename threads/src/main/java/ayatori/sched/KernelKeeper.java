package ayatori.sched;

import ayatori.internal.linux.Errno;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ledger where there is no agent: accounts in this process, levels set in the kernel.
 *
 * <p>A thread has an account while it is owed something; its own level is what the kernel has when the account is opened.
 * An account's lock is held while the kernel is called, so that the kernel has the levels in the order in which they were
 * decided: without that, a late call could leave an old level for ever.
 *
 * <p>A thread that is owed a level has reset-on-fork, so that what it starts meanwhile does not keep the loan. Only a
 * process with CAP_SYS_NICE can take the flag back; in others the thread keeps it, beside its own level.
 */
final class KernelKeeper implements LedgerKeeper {
    private final ConcurrentHashMap<Integer, Account> accounts = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private static final class Account {
        final LinuxThread thread;
        final Map<Long, Integer> dues = new HashMap<>();
        /** How many creditors owe each rank. */
        final TreeMap<Integer, Integer> creditorsByRank = new TreeMap<>();

        @Nullable
        SchedulingParameters own;
        /** What the kernel has. */
        @Nullable
        SchedulingParameters applied;
        /** It has left the map: look there again. */
        boolean closed;

        Account(LinuxThread thread) {
            this.thread = thread;
        }

        SchedulingParameters own() {
            if (own == null) {
                own = thread.get();
                applied = own;
            }
            return own;
        }

        @Nullable
        Integer put(long creditor, @Nullable Integer rank) {
            Integer before = rank == null ? dues.remove(creditor) : dues.put(creditor, rank);
            if (before != null) {
                creditorsByRank.computeIfPresent(before, (key, count) -> count == 1 ? null : count - 1);
            }
            if (rank != null) {
                creditorsByRank.merge(rank, 1, Integer::sum);
            }
            return before;
        }

        /** The maximum of the own level and all dues. */
        SchedulingParameters target() {
            SchedulingParameters mine = own();
            if (creditorsByRank.isEmpty() || creditorsByRank.lastKey() <= mine.rank()) {
                return mine;
            }
            SchedulingPolicy realTime =
                    mine.policy() == SchedulingPolicy.FIFO ? SchedulingPolicy.FIFO : SchedulingPolicy.RR;
            return SchedulingParameters.ofRank(creditorsByRank.lastKey(), realTime)
                    .withResetOnFork(true);
        }

        /** No read-back: the kernel sets all of it or refuses. */
        int apply() {
            SchedulingParameters target = target();
            if (target.equals(applied)) {
                return 0;
            }
            int result = thread.apply(target);
            if (result == -Errno.EPERM && !target.resetOnFork()) {
                target = target.withResetOnFork(true);
                result = thread.apply(target);
            }
            if (result == 0) {
                applied = target;
            }
            return result;
        }
    }

    @FunctionalInterface
    private interface Entry {
        int in(Account account);
    }

    @Override
    public int owe(LinuxThread thread, int rank, long creditor) {
        return withAccount(thread, account -> {
            account.own();
            Integer before = account.put(creditor, rank);
            int result = account.apply();
            if (result < 0) {
                account.put(creditor, before);
            }
            return result;
        });
    }

    @Override
    public int setOwn(LinuxThread thread, SchedulingParameters own) {
        return withAccount(thread, account -> {
            SchedulingParameters before = account.own;
            account.own = own;
            int result = account.apply();
            if (result < 0) {
                account.own = before;
            }
            return result;
        });
    }

    @Override
    public int settle(LinuxThread thread, long creditor) {
        Account account = accounts.get(thread.id());
        if (account == null) {
            return -Errno.ENOENT;
        }
        synchronized (account) {
            if (account.closed || !account.thread.equals(thread) || account.put(creditor, null) == null) {
                return -Errno.ENOENT;
            }
            if (!thread.isAlive()) {
                close(account);
                return 0;
            }
            int result = account.apply();
            closeIfIdle(account);
            return result;
        }
    }

    @Override
    public int rank(LinuxThread thread) {
        Account account = accounts.get(thread.id());
        if (account != null) {
            synchronized (account) {
                if (!account.closed && account.thread.equals(thread)) {
                    return account.target().rank();
                }
            }
        }
        return thread.get().rank();
    }

    @Override
    public int lentRank(int javaPriority) {
        return 0;
    }

    /** How many threads are owed something. */
    int accounts() {
        return accounts.size();
    }

    private int withAccount(LinuxThread thread, Entry entry) {
        while (true) {
            Account account = accounts.computeIfAbsent(thread.id(), id -> new Account(thread));
            synchronized (account) {
                if (account.closed) {
                    continue;
                }
                boolean alive = account.thread.isAlive();
                if (!alive) {
                    close(account);
                }
                if (!account.thread.equals(thread)) {
                    // Of two threads with one id at least one has ended.
                    if (alive) {
                        return -Errno.ESRCH;
                    }
                    continue;
                }
                if (!alive) {
                    return -Errno.ESRCH;
                }
                try {
                    return entry.in(account);
                } finally {
                    closeIfIdle(account);
                }
            }
        }
    }

    private void closeIfIdle(Account account) {
        if (account.dues.isEmpty()) {
            close(account);
        }
    }

    private void close(Account account) {
        account.closed = true;
        accounts.remove(account.thread.id(), account);
    }
}
