package ayatori.pool;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What a flight recording tells of pools. An event that nobody records costs nothing. */
final class PoolEvents {
    private PoolEvents() {}

    /** A pool starts a thread. */
    @Name("ayatori.pool.ThreadStart")
    @Label("Pool Thread Start")
    @Category({"Ayatori", "Pool"})
    @StackTrace(false)
    static final class ThreadStart extends Event {
        @Label("Pool")
        String pool = "";

        @Label("Thread")
        String thread = "";

        @Label("Threads")
        @Description("Of the pool, with this one")
        int total;
    }

    /** A thread of a pool sleeps: from when it found nothing to do until it was woken. */
    @Name("ayatori.pool.ThreadSleep")
    @Label("Pool Thread Sleep")
    @Category({"Ayatori", "Pool"})
    @StackTrace(false)
    static final class ThreadSleep extends Event {
        @Label("Pool")
        String pool = "";
    }

    /** A thread ends because too many sleep. */
    @Name("ayatori.pool.ThreadReclaim")
    @Label("Pool Thread Reclaim")
    @Category({"Ayatori", "Pool"})
    @StackTrace(false)
    static final class ThreadReclaim extends Event {
        @Label("Pool")
        String pool = "";

        @Label("Threads")
        @Description("That are left")
        int total;

        @Label("Sleeping Threads")
        int sleeping;
    }

    /** A worker is lent a higher priority because a more important thread waits, or is lent less again. */
    @Name("ayatori.pool.Raise")
    @Label("Pool Thread Raise")
    @Category({"Ayatori", "Pool"})
    static final class Raise extends Event {
        @Label("Pool")
        String pool = "";

        @Label("Thread")
        String thread = "";

        @Label("Priority")
        @Description("Java priority of the task that the thread runs")
        int priority;

        @Label("Lent Priority")
        @Description("Java priority of who waits; 0: nobody any more")
        int lent;
    }
}
