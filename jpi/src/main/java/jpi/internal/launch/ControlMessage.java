package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import jpi.internal.engine.Timeline;
import jpi.internal.engine.Usage;
import jpi.internal.objects.Serialisation;

/** What master and worker say to each other. */
sealed interface ControlMessage {

    /** Worker, the first word of a connection: who it is. */
    record Hello(int worker) implements ControlMessage {}

    /** Master, the answer to that: what to prepare. {@link Job} says what is what. */
    record Task(
            int ranks,
            int workers,
            boolean virtual,
            boolean labels,
            boolean checking,
            boolean statistics,
            boolean crowded,
            Serialisation serialisation,
            boolean traced,
            String application,
            List<String> arguments)
            implements ControlMessage {}

    /** Worker: it is ready for {@link Start}. */
    record Joined() implements ControlMessage {}

    /** Worker: it cannot do the task, for a reason that lies in what the user asked for. */
    record Unable(String sentence) implements ControlMessage {}

    /** Master: all have joined, ranks may run. */
    record Start() implements ControlMessage {}

    /** Worker: an exception has ended a rank. */
    record Failed(int rank, String what) implements ControlMessage {}

    /**
     * Worker: its JVM is about to exit, without having been told so.
     *
     * @param rank that called System.exit, {@link #NO_RANK} if none of them did
     * @param aborts it called abort, which calls System.exit
     * @param live ranks that have not ended, that one included
     * @param statistics what its ranks have used, as in {@link Bye}, which it will not say
     */
    record Exiting(int rank, boolean aborts, int live, List<Usage> statistics) implements ControlMessage {
        static final int NO_RANK = -1;
    }

    /** Worker: all its ranks have ended. */
    record Ended() implements ControlMessage {}

    /** Master: what do the ranks do? */
    record CensusRequest() implements ControlMessage {}

    /**
     * Worker: what they do.
     *
     * @param running ranks that do not wait
     * @param blocked ranks that do
     * @param first the first of those
     * @param sent messages, by all ranks of the worker since it began
     * @param taken messages, likewise
     */
    record Standing(int running, int blocked, List<Wait> first, long sent, long taken) implements ControlMessage {
        /** How many are listed. */
        static final int LISTED = 32;
    }

    /** A rank, and what it waits for. */
    record Wait(int rank, String what) {}

    /** Master: all ranks of all workers have ended. */
    record Done() implements ControlMessage {}

    /** Worker: what its ranks did, if a timeline was asked for. */
    record Trace(Timeline.Part part) implements ControlMessage {}

    /** Worker, its last word: with what its ranks have used, none of them if no statistics were asked for. */
    record Bye(List<Usage> statistics) implements ControlMessage {}

    /** Master: the program has failed. */
    record Abort(String reason) implements ControlMessage {}

    /** Writes it; {@link #read} has the same codes. */
    static void write(ControlMessage message, DataOutput out) throws IOException {
        switch (message) {
            case Hello(int worker) -> {
                out.writeByte(0);
                out.writeInt(worker);
            }
            case Task task -> {
                out.writeByte(1);
                write(task, out);
            }
            case Joined() -> out.writeByte(2);
            case Unable(String sentence) -> {
                out.writeByte(3);
                write(sentence, out);
            }
            case Start() -> out.writeByte(4);
            case Failed(int rank, String what) -> {
                out.writeByte(5);
                out.writeInt(rank);
                write(what, out);
            }
            case Exiting(int rank, boolean aborts, int live, List<Usage> statistics) -> {
                out.writeByte(6);
                out.writeInt(rank);
                out.writeBoolean(aborts);
                out.writeInt(live);
                write(statistics, out);
            }
            case Ended() -> out.writeByte(7);
            case CensusRequest() -> out.writeByte(8);
            case Standing standing -> {
                out.writeByte(9);
                write(standing, out);
            }
            case Done() -> out.writeByte(10);
            case Bye(List<Usage> statistics) -> {
                out.writeByte(11);
                write(statistics, out);
            }
            case Abort(String reason) -> {
                out.writeByte(12);
                write(reason, out);
            }
            case Trace(Timeline.Part part) -> {
                out.writeByte(13);
                write(part.lines(), out);
                out.writeLong(part.dropped());
            }
        }
    }

    /** Reads one. */
    static ControlMessage read(DataInput in) throws IOException {
        int code = in.readByte();
        return switch (code) {
            case 0 -> new Hello(in.readInt());
            case 1 -> readTask(in);
            case 2 -> new Joined();
            case 3 -> new Unable(readText(in));
            case 4 -> new Start();
            case 5 -> new Failed(in.readInt(), readText(in));
            case 6 -> new Exiting(in.readInt(), in.readBoolean(), in.readInt(), readUsages(in));
            case 7 -> new Ended();
            case 8 -> new CensusRequest();
            case 9 -> readStanding(in);
            case 10 -> new Done();
            case 11 -> new Bye(readUsages(in));
            case 12 -> new Abort(readText(in));
            case 13 -> new Trace(new Timeline.Part(readText(in), in.readLong()));
            default -> throw new IOException("no control message has code " + code);
        };
    }

    private static void write(Task task, DataOutput out) throws IOException {
        out.writeInt(task.ranks);
        out.writeInt(task.workers);
        out.writeBoolean(task.virtual);
        out.writeBoolean(task.labels);
        out.writeBoolean(task.checking);
        out.writeBoolean(task.statistics);
        out.writeBoolean(task.crowded);
        write(task.serialisation.label(), out);
        out.writeBoolean(task.traced);
        write(task.application, out);
        out.writeInt(task.arguments.size());
        for (String argument : task.arguments) {
            write(argument, out);
        }
    }

    private static Task readTask(DataInput in) throws IOException {
        return new Task(
                in.readInt(),
                in.readInt(),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                Serialisation.of(readText(in)).orElseThrow(),
                in.readBoolean(),
                readText(in),
                readTexts(in));
    }

    private static void write(Standing standing, DataOutput out) throws IOException {
        out.writeInt(standing.running);
        out.writeInt(standing.blocked);
        out.writeInt(standing.first.size());
        for (Wait wait : standing.first) {
            out.writeInt(wait.rank);
            write(wait.what, out);
        }
        out.writeLong(standing.sent);
        out.writeLong(standing.taken);
    }

    private static Standing readStanding(DataInput in) throws IOException {
        int running = in.readInt();
        int blocked = in.readInt();
        List<Wait> first = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            first.add(new Wait(in.readInt(), readText(in)));
        }
        return new Standing(running, blocked, first, in.readLong(), in.readLong());
    }

    private static void write(List<Usage> statistics, DataOutput out) throws IOException {
        out.writeInt(statistics.size());
        for (Usage usage : statistics) {
            out.writeInt(usage.rank());
            out.writeLong(usage.sent());
            out.writeLong(usage.taken());
            out.writeLong(usage.bytesSent());
            out.writeLong(usage.bytesTaken());
            out.writeLong(usage.waitedNanos());
        }
    }

    private static List<Usage> readUsages(DataInput in) throws IOException {
        List<Usage> usages = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            usages.add(
                    new Usage(in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong()));
        }
        return usages;
    }

    /** Unlike {@link DataOutput#writeUTF} of any length. */
    private static void write(String text, DataOutput out) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, UTF_8);
    }

    private static List<String> readTexts(DataInput in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.add(readText(in));
        }
        return texts;
    }
}
