import jpi.*;
public class PingPong extends JApplication {
    public void Jmain(String[] args) {
        try {
            int rank = JPI.COMM_WORLD.rank();
            int size = JPI.COMM_WORLD.size();
            if (size != 2) System.exit(1);
            System.err.println("Thread " + rank +
                " on " + JPI.getProcessorName());
            long start = 0, end = 0;
            int len = 0, max = 1 << 28;
            byte[] data = null;
            for (len = 1; len <= max; len <<= 1) {
                if (rank == 0) {
                    data = new byte[len];
                    start = System.currentTimeMillis();
                    JPI.COMM_WORLD.send(data, 1, 100);
                    data =
                        (byte[])JPI.COMM_WORLD.recv(1, 200);
                    end = System.currentTimeMillis();
                    System.out.println("length=" + len*2 +
                        " time=" + (end - start));
                } else if (rank == 1) {
                    data =
                        (byte[])JPI.COMM_WORLD.recv(0, 100);
                    JPI.COMM_WORLD.send(data, 0, 200);
                }
                data = null;
                System.gc();
            }
        } catch (JException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }
}
