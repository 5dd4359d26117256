/*
 * The ledger as other processes see it: one memfd named "ayatori-ledger" in each JVM that carries the agent, found by
 * `ayatori ps` through /proc/PID/fd and mapped read-only. All fields are little-endian, naturally aligned.
 *
 *   0                 128                                                    128 + capacity * 256
 *   +-----------------+----------------+----------------+--------------------+
 *   | ledger_header   | ledger_record 0| ledger_record 1| …                  |
 *   +-----------------+----------------+----------------+--------------------+
 *
 * A record is in use while tid != 0. The agent writes a record between two increments of `version` (odd while it is
 * being written): a reader copies the record and takes the copy only if `version` was even and is unchanged.
 * The Java twin, ayatori.cli.LedgerPage, is compared with this file by LedgerPageTwinTest, which parses the
 * `#define LEDGER_…` lines.
 */
#ifndef AYATORI_LEDGER_PAGE_H
#define AYATORI_LEDGER_PAGE_H

#include <stdint.h>

#define LEDGER_MEMFD_NAME "ayatori-ledger"
#define LEDGER_MAGIC 0x4c495241 /* "ARIL" */
#define LEDGER_LAYOUT_VERSION 1
#define LEDGER_HEADER_SIZE 128
#define LEDGER_RECORD_SIZE 256
#define LEDGER_NAME_SIZE 128

/* Offsets in the header. */
#define LEDGER_H_MAGIC 0          /* uint32 */
#define LEDGER_H_LAYOUT 4         /* uint32 */
#define LEDGER_H_CAPACITY 8       /* uint32: records in the file */
#define LEDGER_H_USED 12          /* uint32: no record at or beyond this index was ever used */
#define LEDGER_H_POLICY 16        /* uint32: LEDGER_POLICY_… in force for Java threads */
#define LEDGER_H_RT_POLICY 20     /* int32: SCHED_RR or SCHED_FIFO */
#define LEDGER_H_LAUNCH_POLICY 24 /* int32: Linux policy that the JVM was launched with */
#define LEDGER_H_LAUNCH_VALUE 28  /* int32: its nice or static priority */
#define LEDGER_H_UNLISTED 32      /* uint32: threads that found no free record */
#define LEDGER_H_FOLDED 36   /* uint32: LEDGER_FOLDED_…, why all Java threads have been put back; 0 if they are not */
#define LEDGER_H_BAND_LOW 40 /* int32: the real-time values that the JVM was given to stand between; … */
#define LEDGER_H_BAND_HIGH 44 /* int32: … 0 if it was given none, or has no real-time threads */

/* Offsets in a record. */
#define LEDGER_R_VERSION 0        /* uint32: sequence lock, odd while written */
#define LEDGER_R_TID 4            /* int32: 0 = free */
#define LEDGER_R_KIND 8           /* uint32: LEDGER_KIND_… */
#define LEDGER_R_JAVA_PRIORITY 12 /* int32: 1..10, 0 for the JVM's own threads */
#define LEDGER_R_OWN_POLICY 16    /* int32: the policy that the thread's own level asks for */
#define LEDGER_R_OWN_VALUE 20     /* int32: its nice (OTHER, BATCH) or static priority (RR, FIFO) */
#define LEDGER_R_WANTED_POLICY 24 /* int32: with the levels that the thread is owed at the moment */
#define LEDGER_R_WANTED_VALUE 28  /* int32 */
#define LEDGER_R_ERRNO 32         /* int32: errno of the last attempt to set it, 0 = the kernel has it */
#define LEDGER_R_DUES 36          /* uint32: how many causes it is owed a level by */
#define LEDGER_R_NAME 40          /* char[128]: Java or JVM thread name, UTF-8, NUL-terminated, cut if longer */
#define LEDGER_R_RUNTIME 168      /* uint64, ns: of a thread that a rule makes DEADLINE; under OTHER, BATCH its slice */
#define LEDGER_R_DEADLINE 176     /* uint64, ns; 0 if it is not DEADLINE */
#define LEDGER_R_PERIOD 184       /* uint64, ns */

#define LEDGER_POLICY_NONE 0
#define LEDGER_POLICY_NICE 1
#define LEDGER_POLICY_STATIC 2
#define LEDGER_POLICY_MIXED 3

#define LEDGER_FOLDED_END 1     /* the JVM shuts down */
#define LEDGER_FOLDED_RUNAWAY 2 /* the runaway guard put them back */

#define LEDGER_KIND_JAVA 1        /* a thread of the program */
#define LEDGER_KIND_CARRIER 2     /* carries virtual threads */
#define LEDGER_KIND_JAVA_SYSTEM 3 /* Finalizer, Reference Handler, Signal Dispatcher, … */
#define LEDGER_KIND_VM_THREAD 4
#define LEDGER_KIND_GC_WORKER 5
#define LEDGER_KIND_CONCURRENT_GC 6
#define LEDGER_KIND_COMPILER 7
#define LEDGER_KIND_JVM_OTHER 8 /* VM Periodic Task Thread, the launcher's first thread, … */

#endif
