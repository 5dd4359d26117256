package mpi;

import static mpi.Programs.check;
import static mpi.Programs.finish;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;

/** What {@link OpenMpiIT} runs: programs whose mistakes are refused with a sentence, beside what looks like one and is none. */
@SuppressWarnings("NullAway") // null is what is refused
final class Refusals {
    private Refusals() {}

    private static void refused(String sentence, Runnable call) {
        try {
            call.run();
        } catch (MPIException e) {
            check(sentence.equals(e.getMessage()), e.getMessage() + ", and not " + sentence);
            return;
        }
        check(false, "not refused: " + sentence);
    }

    /** Buffers that are no memory, and such as are too small for what the datatype says. */
    static final class Buffers {
        private static final String FEW =
                "count 2 takes elements 0 to 1 of a buffer of 1, counted as DOUBLE: must lie within it";
        private static final String TEXTS =
                "the buffer is java.lang.String[], but the datatype INT needs int[], or other"
                        + " memory: an array of numbers, or one of java.nio";

        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm self = MPI.COMM_SELF;
            int[] ints = {1, 2};
            refused(TEXTS, () -> self.send(new String[1], 1, MPI.INT, 0, 7));
            refused(TEXTS.replace("java.lang.String[]", "null"), () -> self.recv(null, 1, MPI.INT, 0, 7));
            refused(TEXTS.replace("java.lang.String[]", "boolean[]"), () -> self.bcast(new boolean[4], 1, MPI.INT, 0));
            refused(FEW, () -> self.send(ints, 2, MPI.DOUBLE, 0, 7));
            refused(FEW, () -> self.recv(ints, 2, MPI.DOUBLE, 0, 7));
            refused(FEW, () -> self.bcast(ints, 2, MPI.DOUBLE, 0));
            refused(FEW, () -> self.allReduce(ints, 2, MPI.DOUBLE, MPI.SUM));
            refused(FEW, () -> self.allGatherv(ints, new int[] {2}, new int[] {0}, MPI.DOUBLE));
            refused(
                    FEW,
                    () -> self.sendInit(MPI.newIntBuffer(2), 2, MPI.DOUBLE, 0, 7)
                            .start());
            refused(
                    "count 5 takes elements 0 to 4 of a buffer of 2, counted as INT: must lie within it",
                    () -> self.send(ints, 5, MPI.INT, 0, 7));
            Datatype column = Datatype.createVector(2, 1, 2, MPI.INT);
            refused(
                    "count 1 takes elements 0 to 2 of a buffer of 2, counted as INT: must lie within it",
                    () -> self.send(ints, 1, column, 0, 7));
            refused(
                    "count 1 takes elements -1 to -1 of a buffer of 2, counted as INT: must lie within it",
                    () -> self.allGatherv(ints, new int[] {1}, new int[] {-1}, MPI.INT));
            check(self.iProbe(0, 7) == null, "something has been sent");
            window();
            suits();
            finish();
        }

        private static void window() {
            Win window = new Win(MPI.newIntBuffer(2), 2, 1, MPI.INFO_NULL, MPI.COMM_SELF);
            window.fence(0);
            refused(FEW, () -> window.put(MPI.newIntBuffer(2), 2, MPI.DOUBLE, 0, 0, 2, MPI.DOUBLE));
            refused(
                    "count 3 takes elements 0 to 2 of a buffer of 2, counted as INT: must lie within it",
                    () -> window.put(MPI.newIntBuffer(2), 3, MPI.INT, 0, 0, 3, MPI.INT));
            window.free();
        }

        private static void suits() {
            Intracomm self = MPI.COMM_SELF;
            ByteBuffer bytes = MPI.newByteBuffer(8);
            self.send(new double[] {0.5}, 1, MPI.DOUBLE, 0, 7);
            self.recv(bytes, 1, MPI.DOUBLE, 0, 7);
            check(bytes.getDouble(0) == 0.5, "a buffer of bytes");
            DoubleBuffer numbers = MPI.newDoubleBuffer(1);
            self.send(bytes, 8, MPI.BYTE, 0, 7);
            self.recv(numbers, 8, MPI.BYTE, 0, 7);
            check(numbers.get(0) == 0.5, "bytes of direct memory");
            int[] halves = new int[2];
            self.send(numbers, 1, MPI.DOUBLE, 0, 7);
            self.recv(halves, 1, MPI.DOUBLE, 0, 7);
            check(halves[1] == 0x3fe00000 || halves[0] == 0x3fe00000, "a double in an array of ints");
            Datatype ends =
                    Datatype.createStruct(new int[] {1, 1}, new int[] {0, 8}, new Datatype[] {MPI.INT, MPI.INT});
            int[] got = new int[3];
            self.send(new int[] {1, 2, 3}, 1, ends, 0, 7);
            self.recv(got, 1, ends, 0, 7);
            check(Arrays.equals(got, new int[] {1, 0, 3}), "a struct of ints alone");
            self.send(null, 0, MPI.INT, 0, 7);
            check(self.recv(null, 0, MPI.INT, 0, 7).getCount(MPI.INT) == 0, "nothing");
            self.allGatherv(new int[0], 0, MPI.INT, got, new int[] {0}, new int[] {9}, MPI.INT);
            MPI.COMM_SELF.allReduce(null, null, 0, MPI.INT2, MPI.MINLOC);
        }
    }

    /** Null, where something is needed. */
    static final class Nulls {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm self = MPI.COMM_SELF;
            int[] one = {1};
            String datatype = "the datatype is null: give one, such as MPI.INT";
            refused(datatype, () -> self.send(one, 1, null, 0, 7));
            refused(datatype, () -> self.reduce(one, 1, null, MPI.SUM, 0));
            refused(datatype, () -> Datatype.createVector(3, 1, 4, null));
            refused(datatype, () -> Datatype.createResized(null, 0, 8));
            refused(datatype, () -> Datatype.createStruct(new int[1], new int[1], new Datatype[1]));
            refused(datatype, () -> Status.empty().getCount(null));
            refused(datatype.replace("null", "DATATYPE_NULL"), () -> self.send(one, 1, MPI.DATATYPE_NULL, 0, 7));
            String operation = "the operation is null: give one, such as MPI.SUM";
            refused(operation, () -> self.reduce(one, 1, MPI.INT, null, 0));
            refused(operation, () -> self.iScan(IntBuffer.wrap(one), 1, MPI.INT, null));
            refused("the function of an operation is null: give a UserFunction", () -> new Op(null, true));
            Win window = new Win(MPI.newIntBuffer(1), 1, 1, MPI.INFO_NULL, self);
            IntBuffer buffer = MPI.newIntBuffer(1);
            refused(datatype, () -> window.put(buffer, 1, MPI.INT, 0, 0, 1, null));
            refused(operation, () -> window.accumulate(buffer, 1, MPI.INT, 0, 0, 1, MPI.INT, null));
            refused(operation, () -> window.fetchAndOp(buffer, buffer, MPI.INT, 0, 0, null));
            window.free();
            refused(
                    "the buffer of the window is null: give one, of as many elements as there are to be",
                    () -> new Win(null, 1, 1, MPI.INFO_NULL, self));
            refused(datatype, () -> Status.empty().setElements(null, 1));
            refused(datatype, () -> new Fields().addData(null));
            refused("the struct is null: give one, such as MPI.int2", () -> new Fields().addStruct(null));
            buffers();
            groups(self);
            communicators(self);
            graphs(self);
            requests();
            attributes(self);
            finish();
        }

        /** A struct without fields so far. */
        private static final class Fields extends Struct {
            @Override
            protected Data newData() {
                return new Data() {};
            }
        }

        private static void buffers() {
            String none = "the buffer is null: give one, or an array";
            refused(none, () -> MPI.slice((ByteBuffer) null, 0));
            refused(none, () -> MPI.slice((byte[]) null, 0));
            refused(none, () -> MPI.slice((DoubleBuffer) null, 0));
            refused(none, () -> MPI.slice((double[]) null, 0));
            refused(none, () -> MPI.int2.getData((ByteBuffer) null));
            refused(none, () -> MPI.int2.getData((byte[]) null));
        }

        private static void groups(Intracomm self) {
            Group one = self.getGroup();
            int[] zero = {0};
            String first = "the first group is null: give one, such as MPI.COMM_WORLD.getGroup()";
            refused(first, () -> Group.compare(null, one));
            refused(first, () -> Group.union(null, one));
            refused(first, () -> Group.intersection(null, one));
            refused(first, () -> Group.difference(null, one));
            refused(first, () -> Group.translateRanks(null, zero, one));
            String second = first.replace("first", "second");
            refused(second, () -> Group.compare(one, null));
            refused(second, () -> Group.union(one, null));
            refused(second, () -> Group.intersection(one, null));
            refused(second, () -> Group.difference(one, null));
            refused(second, () -> Group.translateRanks(one, zero, null));
            refused(
                    "translate needs ranks, and is given null: name those of this group that are wanted",
                    () -> Group.translateRanks(one, null, one));
            String ranges = "the ranges of ranks are null: give each as first rank, last rank and stride";
            refused(ranges, () -> one.rangeIncl(null));
            refused(ranges, () -> one.rangeExcl(null));
            refused(
                    "a range of ranks is null: must be first rank, last rank and stride",
                    () -> one.rangeIncl(new int[1][]));
            String group = first.replace("first ", "");
            refused(group, () -> self.create(null));
            Win window = new Win(MPI.newIntBuffer(1), 1, 1, MPI.INFO_NULL, self);
            refused(group, () -> window.post(null, 0));
            refused(group, () -> window.start(null, 0));
            window.free();
        }

        private static void communicators(Intracomm self) {
            String first = "the first communicator is null: give one, such as MPI.COMM_WORLD";
            refused(first, () -> Comm.compare(null, self));
            refused(first.replace("first", "second"), () -> Comm.compare(self, null));
            refused(first.replace("first", "local"), () -> self.createIntercomm(null, 0, 0, 7));
            String communicator = first.replace("first ", "");
            refused(communicator, () -> new Message().mProbe(0, 7, null));
            refused(communicator, () -> new Message().imProbe(0, 7, null));
            refused(communicator, () -> new Win(MPI.newIntBuffer(1), 1, 1, MPI.INFO_NULL, null));
        }

        private static void graphs(Intracomm self) {
            int[] one = {1};
            CartComm grid = self.createCart(one, new boolean[1], false);
            refused("the dimensions are null: give how many points each has", () -> grid.map(null, new boolean[1]));
            GraphComm graph = self.createGraph(one, new int[1], false);
            refused(
                    "the index of a graph is null: give how many edges the nodes up to each have together",
                    () -> graph.map(null, one));
            String sources = "the sources of a graph are null: give an array, of no elements if there are none";
            refused(sources, () -> self.createDistGraph(null, one, one, MPI.INFO_NULL, false));
            refused(
                    sources.replace("sources", "degrees"),
                    () -> self.createDistGraph(one, null, one, MPI.INFO_NULL, false));
            refused(
                    sources.replace("sources", "destinations"),
                    () -> self.createDistGraph(one, one, null, MPI.INFO_NULL, false));
        }

        private static void requests() {
            String none = "the requests are null: give an array of them";
            refused(none, () -> Request.waitAll(null));
            refused(none, () -> Request.waitAllStatus(null));
            refused(none, () -> Request.waitAny(null));
            refused(none, () -> Request.waitAnyStatus(null));
            refused(none, () -> Request.waitSome(null));
            refused(none, () -> Request.waitSomeStatus(null));
            refused(none, () -> Request.testAll(null));
            refused(none, () -> Request.testAllStatus(null));
            refused(none, () -> Request.testAny(null));
            refused(none, () -> Request.testAnyStatus(null));
            refused(none, () -> Request.testSome(null));
            refused(none, () -> Request.testSomeStatus(null));
            refused(none, () -> Prequest.startAll(null));
        }

        /** Here null is no mistake: Open MPI's bindings take it. */
        private static void attributes(Intracomm self) {
            int key = Comm.createKeyval();
            self.setAttr(key, 1);
            self.setAttr(key, null);
            check(self.getAttr(key) == null, "an attribute that is null");
            Datatype pair = Datatype.createContiguous(2, MPI.INT);
            pair.setAttr(key, 1);
            pair.setAttr(key, null);
            check(pair.getAttr(key) == null, "a datatype's attribute that is null");
        }
    }

    /** Counts and displacements that are too few, or not what they may be. */
    static final class Numbers {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm self = MPI.COMM_SELF;
            int[] one = {1};
            int[] none = {};
            String counts = "0 counts: must be one for each of the 1 ranks";
            refused(counts, () -> self.allGatherv(one, none, one, MPI.INT));
            refused(counts, () -> self.reduceScatter(one, none, MPI.INT, MPI.SUM));
            refused(
                    counts.replace("0", "the").replace("counts", "counts are null"),
                    () -> self.allGatherv(one, null, one, MPI.INT));
            refused(
                    "count 1073741824, of items of 8 bytes: more than a buffer can hold",
                    () -> MPI.COMM_WORLD.allGather(new double[1], 1, MPI.DOUBLE, new double[1], 1 << 28, MPI.DOUBLE));
            Datatype[] ints = {MPI.INT};
            Datatype[] doubles = {MPI.DOUBLE};
            int[] zero = {0};
            refused(
                    "a buffer of 1 int came where 1 doubles at most were expected: all ranks must give the same datatypes"
                            + " and counts",
                    () -> self.allToAllw(one, one, zero, ints, new double[1], one, zero, doubles));
            refused("count -1: must be 0 or more", () -> self.packSize(-1, MPI.INT));
            String packed = "packed items take 4 bytes from position 5 on of an array of 8: must lie within one";
            refused(packed, () -> self.pack(one, 1, MPI.INT, new byte[8], 5));
            refused(packed, () -> self.unpack(new byte[8], 5, one, 1, MPI.INT));
            refused("block length -3: must be 0 or more", () -> Datatype.createContiguous(-3, MPI.INT));
            refused("count -3 of blocks: must be 0 or more", () -> Datatype.createVector(-3, 1, 1, MPI.INT));
            refused(
                    "0 displacements for 1 block lengths: must be one for each",
                    () -> Datatype.createIndexed(one, none, MPI.INT));
            refused(
                    "0 datatypes for 1 blocks: must be one for each",
                    () -> Datatype.createStruct(one, zero, new Datatype[0]));
            refused(
                    "a range of ranks of 2 numbers: must be first rank, last rank and stride",
                    () -> self.getGroup().rangeIncl(new int[][] {{0, 0}}));
            refused(
                    "index [3] of a graph of 1 edges: must not fall, nor be greater than that",
                    () -> self.createGraph(new int[] {3}, zero, false));
            refused(
                    "an edge to node 1 of a graph of 1 nodes: must be 0 or more, and less than that",
                    () -> self.createGraph(one, one, false));
            refused("the datatype is null: give one, such as MPI.INT", () -> self.packSize(1, null));
            Win window = new Win(MPI.newByteBuffer(8), 8, 1, MPI.INFO_NULL, self);
            ByteBuffer pair = MPI.newByteBuffer(8);
            refused(
                    "compareAndSwap applies to one integer, not to a datatype of 8 elements: name a basic one",
                    () -> window.compareAndSwap(pair, pair, MPI.newByteBuffer(8), MPI.INT2, 0, 0));
            window.free();
            GraphComm graph = self.createGraph(one, zero, false);
            refused("rank 7 is no node of the graph, which has nodes 0 to 0", () -> graph.getNeighbors(7));
            finish();
        }
    }

    /** Requests that are none, or under way; and what a call that has failed leaves behind. */
    static final class Requests {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm self = MPI.COMM_SELF;
            String none = "request 1 is null: give MPI.REQUEST_NULL where there is none";
            Request[] requests = {MPI.REQUEST_NULL, null};
            refused(none, () -> Request.waitAll(requests));
            refused(none, () -> Request.testAll(requests));
            refused(none, () -> Request.waitAny(requests));
            refused(none, () -> Request.testSome(requests));
            Request still = self.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, 7);
            refused(none, () -> Request.testAll(new Request[] {still, null}));
            self.send(new int[1], 1, MPI.INT, 0, 7);
            refused(none, () -> Request.waitAll(new Request[] {still, null}));
            check(!still.isNull() && still.waitStatus().getCount(MPI.INT) == 1, "refused, and waited for all the same");
            refused(
                    "a request to be started is null: make it by sendInit or the like",
                    () -> Prequest.startAll(new Prequest[1]));
            Prequest again = self.recvInit(MPI.newIntBuffer(1), 1, MPI.INT, 0, 7);
            again.start();
            refused("the request is under way: wait for it before it is started again", again::start);
            self.send(new int[] {1}, 1, MPI.INT, 0, 7);
            check(again.waitStatus().getCount(MPI.INT) == 1, "persistent");
            refused(
                    "rank 5 is not in COMM_SELF, which has ranks 0 to 0",
                    () -> self.sendRecvReplace(new int[1], 1, MPI.INT, 0, 7, 5, 7));
            check(self.iProbe(0, 7) == null, "an exchange that has failed has sent");
            refused(
                    "rank 5 is not in COMM_SELF, which has ranks 0 to 0",
                    () -> self.sendRecvReplace(new int[1], 1, MPI.INT, 5, 7, 0, 7));
            int[] value = {3};
            check(self.sendRecvReplace(value, 1, MPI.INT, 0, 7, 0, 7).getCount(MPI.INT) == 1, "exchanged");
            finish();
        }
    }
}
