package ayatori.bench.load;

/** Lines that a storm's driver reads. */
final class StormResult {
    private StormResult() {}

    /** How often something happened, as it may. */
    static void count(String what, long times) {
        System.out.println("result,count," + what + "," + times);
    }

    /** How often something happened that must not. */
    static void flaw(String what, long times) {
        System.out.println("result,flaw," + what + "," + times);
    }
}
