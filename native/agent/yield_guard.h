/*
 * Thread.yield() for real-time threads. sched_yield(2) lets nobody below the caller run: `while (!done) Thread.yield()`
 * at a high priority against a lower thread on the same CPU would never end. ConcurrentHashMap.initTable, FutureTask
 * and PriorityBlockingQueue contain such loops.
 *
 * So a thread that yields in a row sleeps for a moment now and then, and looks whether that let another thread of
 * this process run. Where it did, the loop goes on sleeping; where nobody was waiting for the CPU, it is left to yield.
 */
#ifndef AYATORI_YIELD_GUARD_H
#define AYATORI_YIELD_GUARD_H

/* After a yield of the calling thread's. */
void yield_guard_after_yield(void);

#endif
