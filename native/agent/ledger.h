/*
 * One ledger per thread: its own level and the levels that it is owed at the moment, and by whom. Everything that
 * raises or lowers a thread goes through here, so that two causes never undo each other: the kernel is given the
 * highest of them, and a thread whose last due is settled is back at its own level.
 *
 * Every function may be called from any thread of the process, and holds the ledger's lock (a mutex with priority
 * inheritance) for a few microseconds at most. None may be called with the lock held, from a signal handler, or in a
 * forked child; none calls into the JVM.
 */
#ifndef AYATORI_LEDGER_H
#define AYATORI_LEDGER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel_sched.h"
#include "ledger_page.h"
#include "rules.h"

/* Names an entry for as long as its thread lives: the thread id with a serial number, since Linux re-uses ids. 0: none. */
typedef uint64_t ledger_id;

/* What a thread shows of itself, in its own memory, to who wonders what it is held up by. It alone writes most of it. */
struct ledger_signs {
    volatile int critical_sections; /* JNI critical sections that it is in */
    volatile unsigned short_calls;  /* counts as it enters and leaves what takes no time: odd while it is in there */
    const volatile int
        *_Atomic awaited_owner; /* where the id of the lock's owner is that it waits for; NULL if it does not */
    atomic_bool lends;          /* by the ledger: to that owner */
    atomic_int own_rank;        /* by the ledger: of its own level, 0 until the ledger knows these signs */
};

struct ledger_thread {
    pid_t tid;
    unsigned kind;                  /* LEDGER_KIND_… */
    int java_priority;              /* 0 for the JVM's own threads */
    struct level own;               /* what the ladder says */
    struct level now;               /* what the kernel has at the moment */
    const char *name;               /* UTF-8, copied */
    const struct rule *rule;        /* that its own level is by, with what goes with it; NULL: none */
    const struct rule *makers_rule; /* its maker's, by which it was born with CPUs and an I/O priority; NULL: none */
    bool existed;                   /* it was there before the agent knew it: what it has now, it gets back one day */
    bool keeps_own;                 /* its own level is not by the ladder, until setPriority is called */
    bool ends_vm;                   /* it brings the JVM to its end, or speaks for it */
    unsigned generation;            /* of the ladder that its own level is from */
    int owed_rank;                  /* a level that it is owed from the start, 0 = none */
    uint64_t owed_by;
};

/* An entry as the visitors see it, with the lock held. */
struct ledger_view {
    ledger_id id;
    pid_t tid;
    unsigned kind;
    int java_priority;
    struct level own;
    struct level now;
    const struct rule *rule; /* NULL: it has none */
    struct level original;   /* what it had before the agent knew it, or would have without the agent */
    bool keeps_own, ends_vm;
    unsigned generation;
    int maker_rank;             /* what it was owed at its birth: its maker was above it by that; 0 if it was not */
    void *java_thread;          /* HotSpot's JavaThread*, NULL if it has none or it ended */
    struct ledger_signs *signs; /* NULL if it shows none, or ended */
};

/* Once, before the first thread is entered. Without a memfd the ledger works, but other processes do not see it. */
void ledger_open(void);

/* Adds a thread, in place of a dead one with the same id, and gives it its level. */
ledger_id ledger_enter(const struct ledger_thread *thread);

/* The entry of a live thread, 0 if it is not listed. */
ledger_id ledger_find(pid_t tid);

/*
 * The entry of the thread whose JavaThread is at this address, 0 if there is none. The address is not looked into, so it
 * may be a dead thread's; whoever has it from java.lang.Thread.eetop has to see there, afterwards, that it is not.
 */
ledger_id ledger_find_java_thread(const void *java_thread);

/* Takes a thread out, as it ends or leaves the JVM. Its level stays as it is. */
void ledger_leave(ledger_id id);

void ledger_rename(ledger_id id, const char *name);

/*
 * Who an entered thread turns out to be: kind, name (NULL: as before), rule, and own level with the Java priority and the
 * ladder's generation that it comes from; the other members of `as` do not count. Of a Java thread it is not believed that
 * it is one of the JVM's own: somebody read its name before it said what it is, and comes too late.
 */
void ledger_identify(ledger_id id, const struct ledger_thread *as);

/* The rule alone, NULL for none, of a thread whose level does not go by it. */
void ledger_set_rule(ledger_id id, const struct rule *rule);

/*
 * What those who wait for it look at; java_thread is NULL for the JVM's own. Both must stay readable until ledger_leave,
 * or until they are set to NULL.
 */
void ledger_set_signs(ledger_id id, void *java_thread, struct ledger_signs *signs);

/* The same for the thread's own part, wherever its JavaThread is. Copies what is known of it. Its id, 0 if it is not listed. */
ledger_id ledger_show_signs(pid_t tid, struct ledger_signs *signs, struct ledger_view *view);

/* Owes the thread `rank` on behalf of `creditor`; a further due of the same creditor replaces the first. 0 or errno. */
int ledger_owe(ledger_id id, int rank, uint64_t creditor);

/* Ends what `creditor` owes it. 0, or ENOENT, ESRCH. */
int ledger_settle(ledger_id id, uint64_t creditor);

/*
 * While `waiter` waits for a lock, its owner is owed what the waiter has, less one step, so that the waiter gets the CPU
 * back from it; and as the waiter is raised or lowered meanwhile, so is the owner, and whom that one waits for. A waiter
 * waits for one owner at a time: the next replaces the first; 0 ends it. To be called again from time to time, since
 * locks change hands. A waiter that is not real-time need not call: its sign `awaited_owner` is looked at when it is
 * raised; but if `lends` is set once it has the lock, it has to end that.
 */
void ledger_lend(ledger_id waiter, pid_t owner);

/*
 * Calls `visit` for each entry, the lock held: it must be short and call nothing of the ledger's. Where it returns a
 * rank above 0, the thread is owed that on behalf of `creditor`, and its id is put into `raised` (at most `capacity`;
 * beyond, nothing is raised). Returns how many were.
 */
int ledger_raise_where(int (*visit)(const struct ledger_view *view, void *context), void *context, uint64_t creditor,
                       ledger_id *raised, int capacity);

/* Calls `visit` for each entry, the lock held, and gives those where it returns true their `own` anew. */
void ledger_revise(bool (*visit)(const struct ledger_view *view, struct level *own, void *context), void *context);

/* Puts all entries of the JVM's own threads, or all others, back to their original levels without a rule, which are their own from then on. */
void ledger_restore(bool jvms_own);

/* The library's way to its own level, without a kind or a Java priority. 0 or errno. */
int ledger_set_own_level(ledger_id id, struct level own);

/* The rank that it should have now, -1 if it is not listed. */
int ledger_rank(ledger_id id);

/* Copies what the ledger knows of a thread. False if it is not listed. */
bool ledger_look(ledger_id id, struct ledger_view *view);

/* Copies its name, "" if it is not listed. */
void ledger_name(ledger_id id, char name[LEDGER_NAME_SIZE]);

/* Tells readers in other processes which policy is in force, in which band, and whether Java threads are folded. */
void ledger_publish_ladder(void);

#endif
