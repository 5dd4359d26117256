package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

/** What {@link OpenMpiIT} runs: programs in the manner of Open MPI's bindings, that end with a word of rank 0 if all is as it should be. */
final class Programs {
    private Programs() {}

    static void check(boolean good, String what) {
        if (!good) {
            throw new AssertionError("rank " + MPI.COMM_WORLD.getRank() + ": " + what);
        }
    }

    static void finish() {
        MPI.COMM_WORLD.barrier();
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("all is well");
        }
        int me = MPI.COMM_WORLD.getRank();
        MPI.Finalize();
        if (me % 2 == 0) {
            System.exit(0); // as many programs end: the others are not to notice
        }
    }

    /** Arrays, heap buffers and direct ones, each to each; slices; columns; packed. */
    static final class Messages {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.getRank();
            if (me == 0) {
                world.send(new int[] {1, 2, 3}, 3, MPI.INT, 1, 0);
                IntBuffer direct = MPI.newIntBuffer(4).put(0, new int[] {0, 1, 2, 3});
                direct.position(2); // does not count
                world.send(direct, 4, MPI.INT, 1, 0);
                world.send(MPI.slice(new int[] {7, 8, 9}, 1), 2, MPI.INT, 1, 0);
                world.send(new boolean[] {false, true}, 2, MPI.BOOLEAN, 1, 0);
                Datatype column = Datatype.createVector(3, 1, 4, MPI.INT);
                world.send(MPI.slice(IntStream.range(0, 12).toArray(), 1), 1, column, 1, 0);
                byte[] packed = new byte[world.packSize(1, MPI.INT) + world.packSize(2, MPI.DOUBLE)];
                int end = world.pack(new int[] {5}, 1, MPI.INT, packed, 0);
                end = world.pack(new double[] {0.5, 0.25}, 2, MPI.DOUBLE, packed, end);
                world.send(packed, end, MPI.PACKED, 1, 0);
            } else if (me == 1) {
                IntBuffer direct = MPI.newIntBuffer(5);
                Status status = world.recv(direct, 5, MPI.INT, 0, 0);
                check(status.getCount(MPI.INT) == 3 && direct.get(2) == 3, "array to direct buffer");
                check(status.getSource() == 0 && status.getTag() == 0, "status");
                int[] array = new int[4];
                world.recv(array, 4, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                check(Arrays.equals(array, new int[] {0, 1, 2, 3}), "direct buffer to array");
                world.recv(MPI.slice(array, 2), 2, MPI.INT, 0, 0);
                check(Arrays.equals(array, new int[] {0, 1, 8, 9}), "slice to slice");
                boolean[] flags = new boolean[2];
                world.recv(flags, 2, MPI.BOOLEAN, 0, 0);
                check(!flags[0] && flags[1], "booleans");
                world.recv(array, 3, MPI.INT, 0, 0);
                check(Arrays.equals(array, new int[] {1, 5, 9, 9}), "column");
                byte[] packed = new byte[20];
                world.recv(packed, 20, MPI.PACKED, 0, 0);
                double[] numbers = new double[2];
                int end = world.unpack(packed, 0, array, 1, MPI.INT);
                end = world.unpack(packed, end, numbers, 2, MPI.DOUBLE);
                check(end == 20 && array[0] == 5 && numbers[1] == 0.25, "packed");
            }
            finish();
        }
    }

    /** A mistake in a call takes nothing from the next ones. */
    static final class Mistakes {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.getRank();
            int[] data = new int[1];
            try {
                world.sendRecv(new int[1], 1, MPI.INT, world.getSize(), 1, data, 1, MPI.INT, me, 1);
                check(false, "there is no such rank");
            } catch (MPIException e) {
                check(e.toString().contains("rank " + world.getSize() + " is not in"), e.toString());
            }
            world.send(new int[] {7}, 1, MPI.INT, me, 1);
            check(world.iProbe(me, 1) != null, "a receive that has failed has taken a message");
            world.recv(data, 1, MPI.INT, me, 1);
            check(data[0] == 7, "received");
            try {
                world.send(data, 1 << 30, MPI.INT, MPI.PROC_NULL, 1);
                check(false, "there are not so many");
            } catch (MPIException e) {
                check(e.toString().contains("count 1073741824, of items of 4 bytes"), e.toString());
            }
            finish();
        }
    }

    /** With a code that the system shows as 0. */
    static final class Aborts {
        public static void main(String[] args) {
            MPI.Init(args);
            MPI.COMM_WORLD.abort(256);
        }
    }

    /** Something of several fields. */
    static final class Point extends Struct {
        private final int name = addChar(2);
        private final int where = setOffset(8).addDouble(3);

        @Override
        protected Data newData() {
            return new Data();
        }

        /** One of them. */
        final class Data extends Struct.Data {
            private Data() {}

            void put(char letter, double x) {
                putChar(name, 1, letter);
                putDouble(where, 2, x);
            }

            char letter() {
                return getChar(name, 1);
            }

            double x() {
                return getDouble(where, 2);
            }
        }
    }

    /** Structs on their way, and pairs reduced. */
    static final class Structs {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.getRank();
            Point point = new Point();
            check(point.getExtent() == 32, "extent");
            ByteBuffer two = MPI.newByteBuffer(2 * point.getExtent());
            if (me == 0) {
                Point.Data data = point.getData(two, 1);
                data.put('q', 1.5);
            }
            world.bcast(two, 2, point.getType(), 0);
            Point.Data second = point.getData(two, 1);
            check(second.letter() == 'q' && second.x() == 1.5, "struct");
            ByteBuffer pair = MPI.newByteBuffer(MPI.DOUBLE_INT.getExtent());
            DoubleInt.Data mine = MPI.doubleInt.getData(pair);
            mine.putValue(me == 2 ? -3 : me);
            mine.putIndex(me);
            world.allReduce(pair, 1, MPI.DOUBLE_INT, MPI.MINLOC);
            check(mine.getValue() == -3 && mine.getIndex() == 2, "minloc");
            Datatype third = Datatype.createIndexed(new int[] {1}, new int[] {2}, MPI.INT); // an int, behind two others
            Op sum = new Op(
                    new UserFunction() {
                        @Override
                        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
                            for (int i = 2; i < 2 + count; i++) {
                                inOut.putInt(4 * i, inOut.getInt(4 * i) + in.getInt(4 * i));
                            }
                        }
                    },
                    true);
            int[] sums = new int[5];
            world.allReduce(new int[] {1, 2, 3, 4, 5}, sums, 2, third, sum);
            check(Arrays.equals(sums, new int[] {0, 0, 12, 16, 0}), "beyond the items' ends " + Arrays.toString(sums));
            finish();
        }
    }

    /** All together, at once and begun, in place and not. */
    static final class Together {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.getRank();
            int size = world.getSize();
            int[] all = new int[size];
            all[me] = me + 1;
            world.allGather(all, 1, MPI.INT);
            check(all[size - 1] == size && all[0] == 1, "allGather in place");
            IntBuffer sums = MPI.newIntBuffer(2).put(0, me).put(1, 1);
            world.iAllReduce(sums, 2, MPI.INT, MPI.SUM).waitFor();
            check(sums.get(0) == size * (size - 1) / 2 && sums.get(1) == size, "iAllReduce in place");
            DoubleBuffer gathered = MPI.newDoubleBuffer(2 * size);
            int[] counts = IntStream.range(0, size).map(_ -> 1).toArray();
            int[] displacements = IntStream.range(0, size).map(i -> 2 * i).toArray();
            DoubleBuffer own = MPI.newDoubleBuffer(1).put(0, me + 0.5);
            world.iGatherv(own, 1, MPI.DOUBLE, gathered, counts, displacements, MPI.DOUBLE, 0)
                    .waitFor();
            check(me != 0 || (gathered.get(2 * size - 2) == size - 0.5 && gathered.get(1) == 0), "iGatherv");
            int[] parts = IntStream.range(0, size).toArray();
            int[] mine = new int[1];
            world.reduceScatterBlock(parts, mine, 1, MPI.INT, MPI.SUM);
            check(mine[0] == size * me, "reduceScatterBlock");
            Op last = new Op(
                    new UserFunction() {
                        @Override
                        public void call(Object in, Object inOut, int count, Datatype type) {
                            check(((int[]) in)[0] < ((int[]) inOut)[0], "order");
                        }
                    },
                    false);
            int[] greatest = new int[1];
            world.reduce(new int[] {me}, greatest, 1, MPI.INT, last, 0);
            check(me != 0 || greatest[0] == size - 1, "reduce by a function");
            int[] before = {me + 1};
            world.exScan(before, 1, MPI.INT, MPI.PROD);
            check(before[0] == IntStream.rangeClosed(1, Math.max(1, me)).reduce(1, (a, b) -> a * b), "exScan");
            finish();
        }
    }

    /** Requests, matched probes, and what can be made of a communicator. */
    static final class Requests {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.getRank();
            int size = world.getSize();
            int next = (me + 1) % size;
            int before = (me + size - 1) % size;
            IntBuffer out = MPI.newIntBuffer(1).put(0, me);
            IntBuffer in = MPI.newIntBuffer(1);
            Request[] both = {world.iRecv(in, 1, MPI.INT, before, 1), world.iSend(out, 1, MPI.INT, next, 1)};
            Status[] statuses = Request.waitAllStatus(both);
            check(in.get(0) == before && statuses[0].getSource() == before && both[0].isNull(), "both");
            check(Request.waitAny(both) == MPI.UNDEFINED, "nothing is under way");
            Prequest[] again = {world.recvInit(in, 1, MPI.INT, before, 2), world.sendInit(out, 1, MPI.INT, next, 2)};
            for (int turn = 0; turn < 3; turn++) {
                out.put(0, 10 * me + turn);
                Prequest.startAll(again);
                Request.waitAll(again);
                check(in.get(0) == 10 * before + turn, "persistent");
            }
            world.bSend(new int[] {me}, 1, MPI.INT, next, 3);
            Message message = new Message();
            Status status = message.mProbe(MPI.ANY_SOURCE, 3, world);
            int[] got = new int[status.getCount(MPI.INT)];
            message.mRecv(got, got.length, MPI.INT);
            check(got[0] == before && message.isNull(), "matched probe");
            int key = Comm.createKeyval();
            world.setAttr(key, "kept");
            check("kept".equals(world.dup().getAttr(key)), "attribute");
            Intracomm half = world.split(me % 2, me);
            check(half.getRank() == me / 2, "split");
            check(world.split(me == 0 ? MPI.UNDEFINED : 1, 0).isNull() == (me == 0), "left out");
            CartComm ring = world.createCart(new int[] {size}, new boolean[] {true}, false);
            check(ring.shift(0, 1).getRankDest() == next, "ring");
            int[] neighbours = new int[2];
            ring.neighborAllGather(new int[] {me}, 1, MPI.INT, neighbours, 1, MPI.INT);
            check(Arrays.equals(neighbours, new int[] {before, next}), "neighbours");
            try {
                world.send(null, 1, MPI.INT, next, 0);
                check(false, "no buffer");
            } catch (MPIException e) {
                check(e.toString().contains("the buffer is null"), e.toString());
            }
            finish();
        }
    }

    /** Even ranks and odd ones, which pass messages to each other; copies of communicators that are begun. */
    static final class TwoGroups {
        public static void main(String[] args) {
            MPI.Init(args);
            Intracomm world = MPI.COMM_WORLD;
            int me = world.getRank();
            boolean isEven = me % 2 == 0;
            Intracomm half = world.split(me % 2, me);
            Intercomm both = world.createIntercomm(half, 0, isEven ? 1 : 0, 5);
            check(both.isInter() && !half.isInter() && both.getRemoteSize() == 2, "kinds");
            check(both.getRemoteGroup().getSize() == 2 && both.getRank() == me / 2, "groups");
            check(Comm.compare(both, both.clone()) == MPI.CONGRUENT, "compare");
            int[] value = {me};
            both.sendRecvReplace(value, 1, MPI.INT, me / 2, 7, me / 2, 7);
            check(value[0] == (isEven ? me + 1 : me - 1), "exchanged " + value[0]);
            int[] all = new int[4];
            both.allGather(new int[] {me, -me}, 2, MPI.INT, all, 2, MPI.INT);
            check(Arrays.equals(all, isEven ? new int[] {1, -1, 3, -3} : new int[] {0, 0, 2, -2}), "allGather");
            int root = isEven ? 1 : me == 3 ? MPI.ROOT : MPI.PROC_NULL; // rank 3 is 1 of the odd ones
            IntBuffer gathered = MPI.newIntBuffer(2);
            both.gather(new int[] {me}, 1, MPI.INT, gathered, 1, MPI.INT, root);
            check(me != 3 || (gathered.get(0) == 0 && gathered.get(1) == 2), "gather");
            value[0] = me;
            both.bcast(value, 1, MPI.INT, root);
            check(value[0] == (isEven ? 3 : me), "bcast " + value[0]);
            both.barrier();
            try {
                both.allReduce(value, 1, MPI.INT, MPI.SUM);
                check(false, "no such operation");
            } catch (MPIException e) {
                check(e.toString().contains("merge()"), e.toString());
            }
            Intracomm merged = both.merge(isEven);
            check(merged.getRank() == (isEven ? 2 : 0) + me / 2, "merged " + merged.getRank());
            Intercomm later = both.iDup();
            waitFor(later);
            Intracomm copy = world.iDup();
            CartComm ring =
                    world.createCart(new int[] {4}, new boolean[] {true}, false).iDup();
            waitFor(copy);
            waitFor(ring);
            later.barrier();
            both.free();
            value[0] = me;
            copy.allReduce(value, 1, MPI.INT, MPI.SUM);
            check(value[0] == 6 && ring.shift(0, 1).getRankDest() == (me + 1) % 4, "copies");
            finish();
        }
    }

    private static void waitFor(Comm begun) {
        Request request = begun.getRequest();
        if (request == null) {
            throw new AssertionError("it has been begun");
        }
        request.waitFor();
    }

    /** Buffers of the program's that others reach, and memory that a window has allocated. */
    static final class Windows {
        public static void main(String[] args) {
            MPI.Init(args);
            int me = MPI.COMM_WORLD.getRank();
            int size = MPI.COMM_WORLD.getSize();
            fences(me, size);
            locks(me, size);
            posts(me, size);
            allocated(me, size);
            finish();
        }

        /** Each rank writes one element of each part, and its own directly, another one. */
        private static void fences(int me, int size) {
            IntBuffer part = MPI.newIntBuffer(2 * size);
            part.put(0, 100 + me);
            Win win = new Win(part, 2 * size, me + 1, MPI.INFO_NULL, MPI.COMM_WORLD);
            check(Objects.equals(win.getAttr(MPI.WIN_DISP_UNIT), 4 * (me + 1)), "unit");
            win.fence(MPI.MODE_NOPRECEDE);
            int next = (me + 1) % size;
            IntBuffer value = MPI.newIntBuffer(2).put(0, me + 1);
            win.get(MPI.slice(value, 1), 1, MPI.INT, next, 0, 1, MPI.INT);
            win.fence(0);
            check(value.get(1) == 100 + next, "got " + value.get(1));
            win.put(value, 1, MPI.INT, next, 1, 1, MPI.INT); // element 1 * (next + 1)
            part.put(2 * size - 1, -me - 1); // beside it
            win.accumulate(value, 1, MPI.INT, 0, 0, 1, MPI.INT, MPI.SUM);
            win.fence(0);
            check(part.get(me + 1) == (me + size - 1) % size + 1, "put " + part.get(me + 1));
            check(part.get(2 * size - 1) == -me - 1, "written");
            check(me != 0 || part.get(0) == 100 + size * (size + 1) / 2, "accumulated " + part.get(0));
            Datatype column = Datatype.createVector(2, 1, 2, MPI.INT);
            IntBuffer got = MPI.newIntBuffer(2);
            win.get(got, 2, MPI.INT, 0, 0, 1, column);
            check(got.get(0) == 100 + size * (size + 1) / 2 && got.get(1) == 0, "column");
            win.free();
        }

        private static void locks(int me, int size) {
            LongBuffer part = MPI.newLongBuffer(me == 0 ? 2 : 0);
            Win win = new Win(part, me == 0 ? 2 : 0, 1, MPI.INFO_NULL, MPI.COMM_WORLD);
            LongBuffer one = MPI.newLongBuffer(1).put(0, 1);
            LongBuffer before = MPI.newLongBuffer(1);
            win.lockAll(0);
            win.fetchAndOp(one, before, MPI.LONG, 0, 0, MPI.SUM);
            check(before.get(0) >= 0 && before.get(0) < size, "ticket " + before.get(0));
            LongBuffer expected = MPI.newLongBuffer(1);
            LongBuffer mine = MPI.newLongBuffer(1).put(0, me + 1);
            win.compareAndSwap(mine, expected, before, MPI.LONG, 0, 1);
            win.flush(0);
            win.unlockAll();
            MPI.COMM_WORLD.barrier();
            Request request = win.rPut(one, 1, MPI.LONG, MPI.PROC_NULL, 0, 1, MPI.LONG);
            request.waitFor();
            if (me == 0) {
                win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
                check(part.get(0) == size && part.get(1) >= 1 && part.get(1) <= size, "first " + part.get(1));
                part.put(0, 42);
                win.unlock(0);
            }
            MPI.COMM_WORLD.barrier();
            win.lock(MPI.LOCK_SHARED, 0, 0);
            win.fetchAndOp(MPI.newLongBuffer(0), before, MPI.LONG, 0, 0, MPI.NO_OP);
            check(before.get(0) == 42, "written " + before.get(0));
            win.unlock(0);
            win.free();
        }

        /** Each rank lets the one before it write bytes of a double. */
        private static void posts(int me, int size) {
            ByteBuffer part = MPI.newByteBuffer(16);
            Win win = new Win(part, 16, 8, MPI.INFO_NULL, MPI.COMM_WORLD);
            Group all = win.getGroup();
            win.post(all.incl(new int[] {(me + size - 1) % size}), 0);
            win.start(all.incl(new int[] {(me + 1) % size}), 0);
            DoubleBuffer value = MPI.newDoubleBuffer(1).put(0, me + 0.5);
            win.put(value, 1, MPI.DOUBLE, (me + 1) % size, 1, 1, MPI.DOUBLE);
            win.accumulate(value, 1, MPI.DOUBLE, (me + 1) % size, 1, 1, MPI.DOUBLE, MPI.SUM);
            win.complete();
            win.waitFor();
            check(part.getDouble(8) == 2 * ((me + size - 1) % size) + 1, "posted " + part.getDouble(8));
            try {
                win.put(value, 1, MPI.DOUBLE, me, 0, 1, MPI.DOUBLE);
                check(false, "outside of any epoch");
            } catch (MPIException e) {
                check(e.toString().contains("outside of any epoch"), e.toString());
            }
            win.free();
        }

        private static void allocated(int me, int size) {
            DoubleBuffer none = MPI.newDoubleBuffer(0);
            Win win = new Win(3, 1, MPI.INFO_NULL, MPI.COMM_WORLD, none, Win.FLAVOR_SHARED);
            DoubleBuffer mine = win.sharedQuery(me).asDoubleBuffer();
            win.fence(0);
            mine.put(2, me + 0.25);
            win.fence(0);
            int next = (me + 1) % size;
            check(win.sharedQuery(next).asDoubleBuffer().get(2) == next + 0.25, "shared");
            win.get(mine, 1, MPI.DOUBLE, next, 2, 1, MPI.DOUBLE);
            check(mine.get(0) == next + 0.25, "got into the window itself");
            win.free();
        }
    }
}
