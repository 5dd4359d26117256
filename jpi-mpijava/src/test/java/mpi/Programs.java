package mpi;

import java.io.Serializable;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** What {@link MpiJavaIT} runs: programs in mpiJava's manner, that end with a word of rank 0 if all is as it should be. */
final class Programs {
    private Programs() {}

    static void check(boolean good, String what) {
        if (!good) {
            throw new AssertionError("rank " + MPI.COMM_WORLD.Rank() + ": " + what);
        }
    }

    static void finish() {
        MPI.COMM_WORLD.Barrier();
        if (MPI.COMM_WORLD.Rank() == 0) {
            System.out.println("all is well");
        }
        int me = MPI.COMM_WORLD.Rank();
        MPI.Finalize();
        if (me % 2 == 0) {
            System.exit(0); // as many programs end: the others are not to notice
        }
    }

    /** Something that travels. */
    static final class Cell implements Serializable {
        private static final long serialVersionUID = 1;

        int value;

        Cell(int value) {
            this.value = value;
        }
    }

    /** Each rank to the next, each basic type, from an offset on. */
    static final class Basics {
        public static void main(String[] args) {
            String[] rest = MPI.Init(args);
            check(Arrays.equals(rest, new String[] {"one", "two"}), "arguments");
            check(MPI.Initialized(), "initialized");
            Datatype[] types = {
                MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE, MPI.OBJECT
            };
            Object[] sent = {
                new byte[] {0, 1, 2},
                new char[] {'a', 'b', 'c'},
                new short[] {0, -1, 2},
                new boolean[] {false, true, false},
                new int[] {0, 1 << 30, 2},
                new long[] {0, 1L << 60, 2},
                new float[] {0, 0.5f, 2},
                new double[] {0, 0.1, 2},
                new Object[] {null, "text", new int[] {7}},
            };
            Object[] received = {
                new byte[3],
                new char[3],
                new short[3],
                new boolean[3],
                new int[3],
                new long[3],
                new float[3],
                new double[3],
                new Object[3],
            };
            int size = MPI.COMM_WORLD.Size();
            int next = (MPI.COMM_WORLD.Rank() + 1) % size;
            int before = (MPI.COMM_WORLD.Rank() + size - 1) % size;
            for (int i = 0; i < types.length; i++) {
                Status status = MPI.COMM_WORLD.Sendrecv(
                        sent[i], 1, 2, types[i], next, i, received[i], 0, 3, types[i], before, MPI.ANY_TAG);
                check(status.source == before && status.tag == i && status.Get_count(types[i]) == 2, "status " + i);
            }
            check(((byte[]) received[0])[0] == 1 && ((byte[]) received[0])[2] == 0, "bytes");
            check(((char[]) received[1])[1] == 'c', "chars");
            check(((short[]) received[2])[0] == -1, "shorts");
            check(((boolean[]) received[3])[0] && !((boolean[]) received[3])[1], "booleans");
            check(((int[]) received[4])[0] == 1 << 30, "ints");
            check(((long[]) received[5])[0] == 1L << 60, "longs");
            check(((float[]) received[6])[0] == 0.5f, "floats");
            check(((double[]) received[7])[0] == 0.1, "doubles");
            Object[] objects = (Object[]) received[8];
            check(objects[0].equals("text") && ((int[]) objects[1])[0] == 7, "objects");
            check(objects[1] != ((Object[]) sent[8])[2], "objects are copied");
            for (int i = 0; i < types.length; i++) {
                Status nobody = MPI.COMM_WORLD.Recv(received[i], 0, 3, types[i], MPI.PROC_NULL, 1);
                check(
                        nobody.source == MPI.PROC_NULL && nobody.tag == MPI.ANY_TAG && nobody.Get_count(types[i]) == 0,
                        "status of nobody's " + i);
            }
            finish();
        }
    }

    /** A column of a matrix, every other element, and a struct with gaps; packed too. */
    static final class Derived {
        public static void main(String[] args) {
            MPI.Init(args);
            int me = MPI.COMM_WORLD.Rank();
            Datatype column = Datatype.Vector(3, 1, 4, MPI.INT);
            column.Commit();
            check(column.Extent() == 9 && column.Size() == 3, "extent " + column.Extent());
            if (me == 0) {
                MPI.COMM_WORLD.Send(IntStream.range(0, 12).toArray(), 1, 1, column, 1, 0);
                Datatype some = Datatype.Indexed(new int[] {1, 2}, new int[] {3, 0}, MPI.DOUBLE);
                MPI.COMM_WORLD.Send(new double[] {0, 1, 2, 3}, 0, 1, some, 1, 1);
                byte[] packed =
                        new byte[MPI.COMM_WORLD.Pack_size(1, MPI.INT) + MPI.COMM_WORLD.Pack_size(2, MPI.BOOLEAN)];
                int end = MPI.COMM_WORLD.Pack(new int[] {5}, 0, 1, MPI.INT, packed, 0);
                end = MPI.COMM_WORLD.Pack(new boolean[] {true, false}, 0, 2, MPI.BOOLEAN, packed, end);
                MPI.COMM_WORLD.Send(packed, 0, end, MPI.PACKED, 1, 2);
            } else if (me == 1) {
                int[] row = new int[3];
                MPI.COMM_WORLD.Recv(row, 0, 3, MPI.INT, 0, 0);
                check(Arrays.equals(row, new int[] {1, 5, 9}), "column " + Arrays.toString(row));
                Datatype spaced = Datatype.Struct(
                        new int[] {1, 1, 1}, new int[] {-1, 0, 2}, new Datatype[] {MPI.LB, MPI.DOUBLE, MPI.UB});
                check(spaced.Lb() == -1 && spaced.Ub() == 2 && spaced.Extent() == 3, "bounds");
                double[] into = new double[7];
                Status status = MPI.COMM_WORLD.Recv(into, 0, 3, spaced, 0, 1);
                check(Arrays.equals(into, new double[] {3, 0, 0, 0, 0, 0, 1}), Arrays.toString(into));
                check(status.Get_count(spaced) == 3 && status.Get_count(MPI.DOUBLE2) == MPI.UNDEFINED, "count");
                byte[] packed = new byte[6];
                MPI.COMM_WORLD.Recv(packed, 0, 6, MPI.PACKED, 0, 2);
                int[] five = new int[1];
                boolean[] flags = new boolean[2];
                int end = MPI.COMM_WORLD.Unpack(packed, 0, five, 0, 1, MPI.INT);
                end = MPI.COMM_WORLD.Unpack(packed, end, flags, 0, 2, MPI.BOOLEAN);
                check(end == 6 && five[0] == 5 && flags[0] && !flags[1], "unpacked");
            }
            finish();
        }
    }

    /** All ranks together. */
    static final class Together {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.Rank();
            int size = world.Size();
            int[] all = new int[2 * size];
            world.Allgather(new int[] {me, -me}, 0, 2, MPI.INT, all, 0, 2, MPI.INT);
            check(all[2 * (size - 1)] == size - 1 && all[3] == -1, "allgather");
            boolean[] flags = {me == 1, true};
            world.Allreduce(flags, 0, flags, 0, 2, MPI.BOOLEAN, MPI.LAND);
            check(!flags[0] && flags[1], "allreduce");
            double[] best = {me == 2 ? 9.5 : me, me};
            world.Allreduce(best, 0, best, 0, 1, MPI.DOUBLE2, MPI.MAXLOC);
            check(best[0] == 9.5 && best[1] == 2, "maxloc");
            Cell[] cells = new Cell[size];
            world.Gather(new Cell[] {new Cell(me)}, 0, 1, MPI.OBJECT, cells, 0, 1, MPI.OBJECT, 1);
            check((cells[0] != null) == (me == 1), "gather");
            check(me != 1 || cells[size - 1].value == size - 1, "gathered");
            int[] counts = IntStream.range(0, size).toArray();
            int[] displacements = IntStream.range(0, size).map(i -> 2 * i * i).toArray();
            int[] scattered = new int[me];
            int[] source = me == 0 ? IntStream.range(0, 2 * size * size).toArray() : new int[0];
            world.Scatterv(source, 0, counts, displacements, MPI.INT, scattered, 0, me, MPI.INT, 0);
            check(me == 0 || scattered[me - 1] == 2 * me * me + me - 1, "scatterv");
            long[] sums = new long[1];
            int[] ones = IntStream.range(0, size).map(_ -> 1).toArray();
            world.Reduce_scatter(LongValues.upTo(size), 0, sums, 0, ones, MPI.LONG, MPI.SUM);
            check(sums[0] == (long) size * me, "reduce_scatter");
            finish();
        }
    }

    private static final class LongValues {
        static long[] upTo(int n) {
            long[] values = new long[n];
            Arrays.setAll(values, i -> i);
            return values;
        }
    }

    /** A reduction of the user's own, which does not commute, on numbers and on objects. */
    static final class OwnOperation {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            Datatype digits = Datatype.Contiguous(2, MPI.INT); // a power of ten, and a number below it
            Op line = new Op(
                    new User_function() {
                        @Override
                        public void Call(Object in, int i, Object inout, int j, int count, Datatype type) {
                            int[] left = (int[]) in;
                            int[] right = (int[]) inout;
                            for (int k = 0; k < 2 * count; k += 2) {
                                right[j + k + 1] += left[i + k + 1] * right[j + k];
                                right[j + k] *= left[i + k];
                            }
                        }
                    },
                    false);
            int[] result = {0, 0};
            world.Reduce(new int[] {10, world.Rank() + 1}, 0, result, 0, 1, digits, line, 0);
            check(result[1] == (world.Rank() == 0 ? 1234 : 0), "in line: " + result[1]);
            Op spaced = new Op(
                    new User_function() {
                        @Override
                        public void Call(Object in, int i, Object inout, int j, int count, Datatype type) {
                            for (int k = 0; k < count * type.Extent(); k += type.Extent()) {
                                ((int[]) inout)[j + k] += ((int[]) in)[i + k];
                            }
                        }
                    },
                    true);
            Datatype everyThird = Datatype.Struct(new int[] {1, 1}, new int[] {0, 3}, new Datatype[] {MPI.INT, MPI.UB});
            int[] thirds = new int[6];
            world.Allreduce(new int[] {1, 2, 3, 4, 5, 6}, 0, thirds, 0, 2, everyThird, spaced);
            check(Arrays.equals(thirds, new int[] {4, 0, 0, 16, 0, 0}), "items with gaps " + Arrays.toString(thirds));
            Op sum = new Op(
                    new User_function() {
                        @Override
                        public void Call(Object in, int i, Object inout, int j, int count, Datatype type) {
                            for (int k = 0; k < count; k++) {
                                ((Cell) ((Object[]) inout)[j + k]).value += ((Cell) ((Object[]) in)[i + k]).value;
                            }
                        }
                    },
                    true);
            Cell[] mine = {new Cell(world.Rank() + 1)};
            Cell[] total = new Cell[1];
            world.Scan(mine, 0, total, 0, 1, MPI.OBJECT, sum);
            check(mine[0].value == world.Rank() + 1, "what was given is changed");
            int expected = (world.Rank() + 1) * (world.Rank() + 2) / 2;
            check(total[0].value == expected, "scan " + total[0].value);
            finish();
        }
    }

    /** Requests of all kinds. */
    static final class Requests {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.Rank();
            int size = world.Size();
            int[] data = new int[size];
            Request[] requests = new Request[2 * size];
            for (int i = 0; i < size; i++) {
                requests[i] = world.Irecv(data, i, 1, MPI.INT, i, 3);
                requests[size + i] = world.Isend(new int[] {me + 1}, 0, 1, MPI.INT, i, 3);
            }
            boolean[] seen = new boolean[2 * size];
            for (int i = 0; i < size; i++) {
                Status status = Request.Waitany(requests);
                check(!seen[status.index] && requests[status.index].Is_null(), "index " + status.index);
                seen[status.index] = true;
            }
            Request.Waitall(requests);
            check(data[size - 1] == size, "data");
            check(Request.Waitany(requests).index == MPI.UNDEFINED, "nothing is under way");
            Prequest[] again = {
                world.Recv_init(data, 0, 1, MPI.INT, (me + 1) % size, 4),
                world.Send_init(data, 1, 1, MPI.INT, (me + size - 1) % size, 4)
            };
            for (int turn = 0; turn < 3; turn++) {
                data[1] = 10 * me + turn;
                Prequest.Startall(again);
                Request.Waitall(again);
                check(data[0] == 10 * ((me + 1) % size) + turn, "persistent");
            }
            Request never = world.Irecv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, 99);
            check(never.Test() == null, "nobody sends it");
            never.Cancel();
            check(never.Wait().Test_cancelled(), "cancelled");
            byte[] large = new byte[4 << 20]; // nobody takes it in before it is wanted
            int next = (me + 1) % size;
            check(world.Ibsend(large, 0, large.length, MPI.BYTE, next, 5).Test() != null, "buffered");
            Prequest buffered = world.Bsend_init(large, 0, large.length, MPI.BYTE, next, 5);
            buffered.Start();
            check(!buffered.Is_null() && buffered.Test() != null, "buffered, persistent");
            for (int i = 0; i < 2; i++) {
                world.Recv(large, 0, large.length, MPI.BYTE, (me + size - 1) % size, 5);
            }
            finish();
        }
    }

    /** A mistake in a call takes nothing from the next ones. */
    static final class Mistakes {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.Rank();
            int[] data = new int[2];
            try {
                world.Sendrecv(data, 0, 1, MPI.INT, world.Size(), 1, data, 1, 1, MPI.INT, me, 1);
                check(false, "there is no such rank");
            } catch (MPIException e) {
                check(e.toString().contains("rank " + world.Size() + " is not in COMM_WORLD"), e.toString());
            }
            world.Send(new int[] {7}, 0, 1, MPI.INT, me, 1);
            check(world.Iprobe(me, 1) != null, "a receive that has failed has taken a message");
            world.Recv(data, 0, 1, MPI.INT, me, 1);
            check(data[0] == 7, "received");
            finish();
        }
    }

    /** With a code that the system shows as 0. */
    static final class Aborts {
        public static void main(String[] args) {
            MPI.Init(args);
            MPI.COMM_WORLD.Abort(256);
        }
    }

    /** Groups and communicators, grids and graphs. */
    static final class Communicators {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.Rank();
            Intracomm copy = (Intracomm) world.clone();
            check(Comm.Compare(world, copy) == MPI.CONGRUENT && Comm.Compare(world, world) == MPI.IDENT, "compare");
            Intracomm half = world.Split(me % 2 == 0 ? 0 : MPI.UNDEFINED, -me);
            check((half == null) == (me % 2 != 0), "split");
            check(half == null || half.Rank() == (half.Size() - 1 - me / 2), "keys");
            Group two = world.Group().Range_incl(new int[][] {{2, 0, -2}});
            Intracomm pair = world.Create(two);
            check((pair == null) == (two.Rank() == MPI.UNDEFINED), "create");
            check(pair == null || pair.Rank() == 1 - me / 2, "order");
            Cartcomm ring = world.Create_cart(new int[] {world.Size()}, new boolean[] {false}, true);
            check(ring != null, "grid");
            if (ring != null) {
                ShiftParms shift = ring.Shift(0, 1);
                check((shift.rank_source == MPI.PROC_NULL) == (me == 0), "shift");
                int[] got = {-7};
                ring.Sendrecv(
                        new int[] {me}, 0, 1, MPI.INT, shift.rank_dest, 1, got, 0, 1, MPI.INT, shift.rank_source, 1);
                check(got[0] == (me == 0 ? -7 : me - 1), "shifted " + got[0]);
            }
            Graphcomm graph = world.Create_graph(new int[] {1, 2}, new int[] {1, 0}, false);
            check((graph == null) == (me > 1), "graph");
            check(graph == null || graph.Neighbours(me)[0] == 1 - me, "neighbours");
            try {
                world.Send(new int[1], 0, 1, MPI.INT, world.Size(), 0);
                check(false, "no such rank");
            } catch (MPIException e) {
                check(e.toString().contains("is not in COMM_WORLD"), e.toString());
            }
            finish();
        }
    }

    /** Even ranks and odd ones, which pass messages to each other. */
    static final class TwoGroups {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.Rank();
            boolean isEven = me % 2 == 0;
            Intracomm half = world.Split(me % 2, me);
            if (half == null) {
                throw new AssertionError("each rank is in one");
            }
            Intercomm both = world.Create_intercomm(half, 0, isEven ? 1 : 0, 5);
            check(both.Test_inter() && !half.Test_inter(), "kinds");
            check(both.Rank() == me / 2 && both.Size() == half.Size(), "its own group");
            check(both.Remote_size() == 2 && both.Remote_group().Size() == 2, "the other group");
            Intercomm copy = (Intercomm) both.clone();
            check(Comm.Compare(both, copy) == MPI.CONGRUENT && Comm.Compare(both, half) == MPI.UNEQUAL, "compare");
            int[] value = {me};
            Status status = copy.Sendrecv_replace(value, 0, 1, MPI.INT, me / 2, 7, MPI.ANY_SOURCE, 7);
            check(value[0] == (isEven ? me + 1 : me - 1) && status.source == me / 2, "exchanged " + value[0]);
            Request[] sent = {both.Issend(new Cell[] {new Cell(me)}, 0, 1, MPI.OBJECT, 1 - me / 2, 8)};
            check(both.Probe(MPI.ANY_SOURCE, 8).source == 1 - me / 2, "probe");
            Cell[] cell = new Cell[1];
            both.Recv(cell, 0, 1, MPI.OBJECT, MPI.ANY_SOURCE, 8);
            check(cell[0].value == 3 - me, "object " + cell[0].value);
            Request.Waitall(sent);
            copy.Free();
            Intracomm all = both.Merge(isEven);
            check(all.Rank() == (isEven ? 2 : 0) + me / 2, "merged " + all.Rank());
            all.Allreduce(new int[] {me}, 0, value, 0, 1, MPI.INT, MPI.SUM);
            check(value[0] == 6, "sum " + value[0]);
            finish();
        }
    }

    /** Threads that a program starts pass messages too, where a worker has one rank. */
    static final class Threads {
        public static void main(String[] args) {
            MPI.Init(args);
            int me = MPI.COMM_WORLD.Rank();
            int size = MPI.COMM_WORLD.Size();
            CompletableFuture<Integer> received = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                int[] got = new int[1];
                MPI.COMM_WORLD.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, 8);
                received.complete(got[0]);
            });
            MPI.COMM_WORLD.Send(new int[] {me}, 0, 1, MPI.INT, (me + 1) % size, 8);
            check(received.join() == (me + size - 1) % size, "received");
            finish();
        }
    }
}
