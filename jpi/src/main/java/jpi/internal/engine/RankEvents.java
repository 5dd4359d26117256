package jpi.internal.engine;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/**
 * What a flight recording tells of ranks. An event that nobody records costs nothing. As there may be millions a second, a recording
 * has only those that take long, unless it is told another threshold.
 */
final class RankEvents {
    /** In default recordings. */
    private static final String LONG = "20 ms";

    /** To be asked if somebody records such. Apart, since the first event sets up the recorder, which takes some 200 ms. */
    private static final class Asked {
        static final Send SEND = new Send();
        static final Receive RECEIVE = new Receive();
        static final Wait WAIT = new Wait();
        static final Collective COLLECTIVE = new Collective();

        private Asked() {}
    }

    private RankEvents() {}

    /** If somebody records any. */
    static boolean areRecorded() {
        return FlightRecorder.isInitialized()
                && (Asked.SEND.isEnabled()
                        || Asked.RECEIVE.isEnabled()
                        || Asked.WAIT.isEnabled()
                        || Asked.COLLECTIVE.isEnabled());
    }

    /** A message, as one of its two ranks sees it. */
    abstract static class Passing extends Event {
        @Label("Rank")
        @Description("In the whole program")
        int rank;

        @Label("Peer")
        @Description("The other's rank in the whole program; -1: not known, its communicator has been dropped")
        int peer;

        @Label("Tag")
        @Description("Of a collective operation's messages: its number in the communicator")
        int tag;

        @Label("Bytes")
        @Description("-1: an object by reference")
        @DataAmount
        long bytes;

        @Label("Priority")
        @Description("Java priority of the message")
        int priority;

        @Label("Communicator")
        String communicator = "";

        @Label("Collective")
        @Description("Whether the message is part of a collective operation")
        boolean collective;
    }

    /** A rank sends a message: the call, without what it then waits for the receiver. */
    @Name("jpi.Send")
    @Label("JPI Send")
    @Category({"Ayatori", "JPI"})
    @Description("A rank sends a message: copying, encoding, waiting for room; not waiting for the receiver")
    @StackTrace(false)
    @Threshold(LONG)
    static final class Send extends Passing {}

    /** A rank receives a message: from when it waits for it until it is there. */
    @Name("jpi.Receive")
    @Label("JPI Receive")
    @Category({"Ayatori", "JPI"})
    @Description("A rank receives a message: from when it waits for it until it is there")
    @Threshold(LONG)
    static final class Receive extends Passing {}

    /** A rank waits for something else than to receive a message. */
    @Name("jpi.Wait")
    @Label("JPI Wait")
    @Category({"Ayatori", "JPI"})
    @Description("A rank waits: until a message that it has sent is taken, to see one, for requests; or in vain")
    @Threshold(LONG)
    static final class Wait extends Event {
        @Label("Rank")
        @Description("In the whole program")
        int rank;

        @Label("What")
        @Description("What it waits for")
        String what = "";

        @Label("Peer")
        @Description("The other's rank in the whole program; -1: any, or none")
        int peer;

        @Label("Tag")
        @Description("-1: any, or none")
        int tag;
    }

    /** A rank takes part in a collective operation: the whole call, or what goes on after it has been begun. */
    @Name("jpi.Collective")
    @Label("JPI Collective")
    @Category({"Ayatori", "JPI"})
    @Description("A rank takes part in a collective operation, from its call to its end")
    @Threshold(LONG)
    static final class Collective extends Event {
        @Label("Rank")
        @Description("In the whole program")
        int rank;

        @Label("Operation")
        String operation = "";

        @Label("Communicator")
        String communicator = "";

        @Label("Ranks")
        @Description("Of the communicator")
        int ranks;

        @Label("Root")
        @Description(
                "Rank in the communicator, of two groups in the other one; -1: it has none; -4: it is in this group")
        int root;

        @Label("Number")
        @Description("Of this operation in the communicator: the same on all its ranks")
        int number;

        @Label("Bytes")
        @Description("Of this rank's buffer or array; -1: not known")
        @DataAmount
        long bytes;

        @Label("Priority")
        @Description("Java priority of its messages")
        int priority;
    }
}
