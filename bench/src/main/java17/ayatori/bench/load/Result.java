package ayatori.bench.load;

/** One line of standard output that the driver reads: {@code result,KEY,VALUE,…}. */
final class Result {
    private Result() {}

    static void print(String key, Object... values) {
        StringBuilder line = new StringBuilder("result,").append(key);
        for (Object value : values) {
            line.append(',').append(value);
        }
        System.out.println(line);
    }
}
