package mpi;

import static mpi.Programs.check;
import static mpi.Programs.finish;

import java.util.Arrays;

/** What {@link MpiJavaIT} runs: programs whose mistakes are refused with a sentence, beside what looks like one and is none. */
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

    /** Arrays of other elements than the datatype says, and such as are too small. */
    static final class Buffers {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm self = MPI.COMM_SELF;
            int[] ints = {1, 2};
            refused(
                    "the buffer is int[], but the datatype DOUBLE needs double[]",
                    () -> self.Send(ints, 0, 1, MPI.DOUBLE, 0, 7));
            refused(
                    "offset 0 and count 5 take elements 0 to 4 of an array of 2: must lie within it",
                    () -> self.Send(ints, 0, 5, MPI.INT, 0, 7));
            refused(
                    "offset -1 and count 1 take elements -1 to -1 of an array of 2: must lie within it",
                    () -> self.Recv(ints, -1, 1, MPI.INT, 0, 7));
            refused(
                    "offset 1 and count 1 take elements 1 to 1 of an array of 1: must lie within it",
                    () -> self.Bcast(new boolean[1], 1, 1, MPI.BOOLEAN, 0));
            refused(
                    "offset 1 and count 1 take elements 1 to 1 of an array of 1: must lie within it",
                    () -> self.Send(new Object[1], 1, 1, MPI.OBJECT, 0, 7));
            Datatype column = Datatype.Vector(2, 1, 2, MPI.INT);
            refused(
                    "offset 0 and count 1 take elements 0 to 2 of an array of 2: must lie within it",
                    () -> self.Send_init(ints, 0, 1, column, 0, 7).Start());
            refused(
                    "offset 1 and count 2 take elements 1 to 2 of an array of 2: must lie within it",
                    () -> self.Allgatherv(ints, 0, 2, MPI.INT, ints, 0, new int[] {2}, new int[] {1}, MPI.INT));
            refused(
                    "count 1073741824, of items of 2 elements: more than an array can hold",
                    () -> self.Send(ints, 0, 1 << 30, MPI.INT2, 0, 7));
            check(self.Iprobe(0, 7) == null, "something has been sent");
            objects();
            suits();
            finish();
        }

        private static void objects() {
            Intracomm self = MPI.COMM_SELF;
            Object[] objects = {1};
            int[] ints = {1};
            String isObject =
                    "the datatype is OBJECT, where that of what is sent or received with it is not: both must be"
                            + " OBJECT, or neither";
            String isInt = "the datatype is INT, where that of what is sent or received with it is OBJECT: both must be"
                    + " OBJECT, or neither";
            refused(isInt, () -> self.Gather(objects, 0, 1, MPI.OBJECT, ints, 0, 1, MPI.INT, 0));
            refused(isObject, () -> self.Gather(ints, 0, 1, MPI.INT, objects, 0, 1, MPI.OBJECT, 0));
            refused(isInt, () -> self.Scatter(ints, 0, 1, MPI.INT, objects, 0, 1, MPI.OBJECT, 0));
            refused(isInt, () -> self.Alltoall(objects, 0, 1, MPI.OBJECT, ints, 0, 1, MPI.INT));
            self.Send(objects, 0, 1, MPI.OBJECT, 0, 7);
            refused(
                    "received objects that are no elements of a java.lang.String[]: receive them into an Object[]",
                    () -> self.Recv(new String[1], 0, 1, MPI.OBJECT, 0, 7));
        }

        private static void suits() {
            Intracomm self = MPI.COMM_SELF;
            self.Send(null, 0, 0, MPI.INT, 0, 7);
            check(self.Recv(new int[1], 1, 0, MPI.INT, 0, 7).Get_count(MPI.INT) == 0, "nothing");
            int[] got = new int[3];
            Datatype before = Datatype.Indexed(new int[] {1}, new int[] {-1}, MPI.INT);
            self.Send(new int[] {5, 6}, 1, 1, before, 0, 7);
            self.Recv(got, 2, 1, before, 0, 7);
            check(Arrays.equals(got, new int[] {0, 5, 0}), "before its offset " + Arrays.toString(got));
            self.Allreduce(null, 0, null, 0, 0, MPI.INT2, MPI.MINLOC);
            Intracomm pair = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.Rank() % 2, 0);
            int[] both = {2 * pair.Rank(), 2 * pair.Rank() + 1};
            pair.Reduce_scatter(both, 0, both, 0, new int[] {1, 1}, MPI.INT, MPI.SUM);
            check(both[0] == 2 + 2 * pair.Rank(), "sums where the numbers were: " + both[0]);
            self.Allgatherv(got, 0, 0, MPI.INT, got, 0, new int[] {0}, new int[] {9}, MPI.INT);
        }
    }

    /** Null, where something is needed. */
    static final class Nulls {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm self = MPI.COMM_SELF;
            int[] one = {1};
            String datatype = "the datatype is null: give one, such as MPI.INT";
            refused(datatype, () -> self.Send(one, 0, 1, null, 0, 7));
            refused(datatype, () -> self.Reduce(one, 0, one, 0, 1, null, MPI.SUM, 0));
            refused(datatype, () -> self.Alltoall(one, 0, 1, null, one, 0, 1, MPI.INT));
            refused(datatype, () -> Datatype.Vector(3, 1, 4, null));
            refused(datatype, () -> Datatype.Struct(new int[1], new int[1], new Datatype[1]));
            refused(datatype, () -> new Status().Get_count(null));
            String operation = "the operation is null: give one, such as MPI.SUM";
            refused(operation, () -> self.Reduce(one, 0, one, 0, 1, MPI.INT, null, 0));
            refused(operation, () -> self.Scan(one, 0, one, 0, 1, MPI.INT, null));
            refused("the function of an operation is null: give a User_function", () -> new Op(null, true));
            refused("the buffer is null, but the datatype INT needs int[]", () -> self.Send(null, 0, 1, MPI.INT, 0, 7));
            refused("the value of attribute 17 is null: call Attr_delete to keep none", () -> self.Attr_put(17, null));
            groups(self);
            communicators(self);
            requests();
            finish();
        }

        private static void groups(Intracomm self) {
            Group one = self.Group();
            Group none = MPI.GROUP_NULL;
            int[] zero = {0};
            String first = "the first group is null: give one, such as MPI.COMM_WORLD.Group()";
            refused(first, () -> Group.Compare(none, one));
            refused(first, () -> Group.Union(none, one));
            refused(first, () -> Group.Intersection(none, one));
            refused(first, () -> Group.Difference(none, one));
            refused(first, () -> Group.Translate_ranks(none, zero, one));
            String second = first.replace("first", "second");
            refused(second, () -> Group.Compare(one, none));
            refused(second, () -> Group.Union(one, none));
            refused(second, () -> Group.Intersection(one, none));
            refused(second, () -> Group.Difference(one, none));
            refused(second, () -> Group.Translate_ranks(one, zero, none));
            refused(
                    "translate needs ranks, and is given null: name those of this group that are wanted",
                    () -> Group.Translate_ranks(one, null, one));
            String ranges = "the ranges of ranks are null: give each as first rank, last rank and stride";
            refused(ranges, () -> one.Range_incl(null));
            refused(ranges, () -> one.Range_excl(null));
            refused(
                    "a range of ranks is null: must be first rank, last rank and stride",
                    () -> one.Range_incl(new int[1][]));
        }

        private static void communicators(Intracomm self) {
            Comm none = MPI.COMM_NULL;
            String first = "the first communicator is null: give one, such as MPI.COMM_WORLD";
            refused(first, () -> Comm.Compare(none, self));
            refused(first.replace("first", "second"), () -> Comm.Compare(self, none));
            refused(first.replace("first", "local"), () -> self.Create_intercomm(none, 0, 0, 7));
            refused("the group is null: give one, such as MPI.COMM_WORLD.Group()", () -> self.Create(MPI.GROUP_NULL));
            int[] one = {1};
            Cartcomm grid = self.Create_cart(one, new boolean[1], false);
            refused("the dimensions are null: give how many points each has", () -> grid.Map(null, new boolean[1]));
            Graphcomm graph = self.Create_graph(one, new int[1], false);
            refused(
                    "the index of a graph is null: give how many edges the nodes up to each have together",
                    () -> graph.Map(null, one));
        }

        private static void requests() {
            String none = "the requests are null: give an array of them";
            refused(none, () -> Request.Waitall(null));
            refused(none, () -> Request.Waitany(null));
            refused(none, () -> Request.Waitsome(null));
            refused(none, () -> Request.Testall(null));
            refused(none, () -> Request.Testany(null));
            refused(none, () -> Request.Testsome(null));
            refused(none, () -> Prequest.Startall(null));
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
            refused(counts, () -> self.Allgatherv(one, 0, 1, MPI.INT, one, 0, none, one, MPI.INT));
            refused(counts, () -> self.Reduce_scatter(one, 0, one, 0, none, MPI.INT, MPI.SUM));
            refused(
                    "the displacements are null: must be one for each of the 1 ranks",
                    () -> self.Gatherv(one, 0, 1, MPI.INT, one, 0, one, null, MPI.INT, 0));
            refused("count -1: must be 0 or more", () -> self.Pack_size(-1, MPI.INT));
            String packed = "packed items take 4 bytes from position 5 on of an array of 8: must lie within one";
            refused(packed, () -> self.Pack(one, 0, 1, MPI.INT, new byte[8], 5));
            refused(packed, () -> self.Unpack(new byte[8], 5, one, 0, 1, MPI.INT));
            refused("block length -3: must be 0 or more", () -> Datatype.Contiguous(-3, MPI.INT));
            refused("count -3 of blocks: must be 0 or more", () -> Datatype.Vector(-3, 1, 1, MPI.INT));
            refused(
                    "0 displacements for 1 block lengths: must be one for each",
                    () -> Datatype.Indexed(one, none, MPI.INT));
            refused("0 datatypes for 1 blocks: must be one for each", () -> Datatype.Struct(one, one, new Datatype[0]));
            refused(
                    "a range of ranks of 2 numbers: must be first rank, last rank and stride",
                    () -> self.Group().Range_incl(new int[][] {{0, 0}}));
            int[] zero = {0};
            refused(
                    "index [3] of a graph of 1 edges: must not fall, nor be greater than that",
                    () -> self.Create_graph(new int[] {3}, zero, false));
            refused(
                    "an edge to node 1 of a graph of 1 nodes: must be 0 or more, and less than that",
                    () -> self.Create_graph(one, one, false));
            refused("the datatype is null: give one, such as MPI.INT", () -> self.Pack_size(1, null));
            Graphcomm graph = self.Create_graph(one, zero, false);
            refused("rank 7 is no node of the graph, which has nodes 0 to 0", () -> graph.Neighbours(7));
            finish();
        }
    }

    /** Requests that are none, or under way; and what a call that has failed leaves behind. */
    static final class Requests {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm self = MPI.COMM_SELF;
            Request[] none = {null, MPI.REQUEST_NULL};
            check(Request.Waitall(none).length == 2 && Request.Testall(none).length == 2, "null is over");
            check(Request.Waitany(none).index == MPI.UNDEFINED, "null is no request");
            check(Request.Testany(none).index == MPI.UNDEFINED, "null is no request to be tested");
            check(Request.Waitsome(none).length == 0 && Request.Testsome(none).length == 0, "null is none of some");
            refused(
                    "a request to be started is null: make it by Send_init or the like",
                    () -> Prequest.Startall(new Prequest[1]));
            Prequest again = self.Recv_init(new int[1], 0, 1, MPI.INT, 0, 7);
            again.Start();
            refused("the request is under way: wait for it before it is started again", again::Start);
            self.Send(new int[] {1}, 0, 1, MPI.INT, 0, 7);
            check(again.Wait().Get_count(MPI.INT) == 1, "persistent");
            String noRank = "rank 5 is not in COMM_SELF, which has ranks 0 to 0";
            refused(noRank, () -> self.Sendrecv_replace(new int[1], 0, 1, MPI.INT, 0, 7, 5, 7));
            check(self.Iprobe(0, 7) == null, "an exchange that has failed has sent");
            refused(noRank, () -> self.Sendrecv_replace(new int[1], 0, 1, MPI.INT, 5, 7, 0, 7));
            boolean[] value = {true};
            Status status = self.Sendrecv_replace(value, 0, 1, MPI.BOOLEAN, 0, 7, 0, 7);
            check(value[0] && status.Get_count(MPI.BOOLEAN) == 1, "exchanged");
            Object[] objects = {"one"};
            status = self.Sendrecv_replace(objects, 0, 1, MPI.OBJECT, 0, 7, 0, 7);
            check("one".equals(objects[0]) && status.Get_count(MPI.OBJECT) == 1, "exchanged objects");
            finish();
        }
    }
}
