package ayatori.bench.load;

import mpi.MPI;

/** By MPJ Express: out of arrays into arrays. */
final class MpjRally extends Rally {
    private static final int ORDERS = 1;
    private static final int MESSAGES = 2;

    private final int other;
    private byte[] out = {};
    private byte[] in = {};

    MpjRally(int other) {
        this.other = other;
    }

    @Override
    void tell() {
        MPI.COMM_WORLD.Send(order, 0, order.length, MPI.INT, other, ORDERS);
    }

    @Override
    void hear() {
        MPI.COMM_WORLD.Recv(order, 0, order.length, MPI.INT, other, ORDERS);
    }

    @Override
    void size(int bytes) {
        out = new byte[bytes];
        in = new byte[bytes];
    }

    @Override
    void begin(int times) {
        for (int i = 0; i < times; i++) {
            MPI.COMM_WORLD.Send(out, 0, out.length, MPI.BYTE, other, MESSAGES);
            MPI.COMM_WORLD.Recv(in, 0, in.length, MPI.BYTE, other, MESSAGES);
        }
    }

    @Override
    void answer(int times) {
        for (int i = 0; i < times; i++) {
            MPI.COMM_WORLD.Recv(in, 0, in.length, MPI.BYTE, other, MESSAGES);
            MPI.COMM_WORLD.Send(out, 0, out.length, MPI.BYTE, other, MESSAGES);
        }
    }

    @Override
    void write(int seed) {
        fill(out, seed);
    }

    @Override
    boolean isRead(int seed) {
        return isFilled(in, seed);
    }
}
