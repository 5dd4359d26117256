/** {@code Yielders N}: so many threads that give way to others again and again, until standard input ends. */
public final class Yielders {
    private Yielders() {}

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            Thread thread = new Thread(Yielders::giveWay, "yielder-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            continue;
        }
    }

    private static void giveWay() {
        while (true) {
            Thread.yield();
        }
    }
}
