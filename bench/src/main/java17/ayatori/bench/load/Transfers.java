package ayatori.bench.load;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * Bank transfers in an H2 database in memory: two updates and an insert a transaction. Arguments: priorities of the
 * threads (5:5:5:5), milliseconds of warm-up, milliseconds that count.
 */
public final class Transfers {
    private static final int ACCOUNTS = 10_000;

    private final Connection connection;
    private final PreparedStatement update;
    private final PreparedStatement journal;
    private final SplittableRandom random;

    private Transfers(String url, int seed) throws SQLException {
        connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        update = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
        journal = connection.prepareStatement("MERGE INTO journal KEY (slot) VALUES (?, ?, ?)");
        random = new SplittableRandom(seed);
    }

    public static void main(String[] arguments) throws SQLException, InterruptedException {
        String url = "jdbc:h2:mem:bank;LOCK_TIMEOUT=10000";
        try (Connection keep = DriverManager.getConnection(url);
                Statement statement = keep.createStatement()) {
            statement.execute("CREATE TABLE account (id INT PRIMARY KEY, balance BIGINT)");
            statement.execute("CREATE TABLE journal (slot INT PRIMARY KEY, account INT, amount BIGINT)");
            statement.execute("INSERT INTO account SELECT x, 1000 FROM SYSTEM_RANGE(1, " + ACCOUNTS + ")");
            Throughput.measure(
                    thread -> transfers(url, thread),
                    Throughput.priorities(arguments[0]),
                    Long.parseLong(arguments[1]),
                    Long.parseLong(arguments[2]));
        }
    }

    private static Callable<?> transfers(String url, int thread) {
        try {
            return new Transfers(url, thread)::transfer;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lower account first, so that no two transfers wait for each other. */
    private Object transfer() throws SQLException {
        int amount = random.nextInt(1, 100);
        int first = random.nextInt(1, ACCOUNTS);
        int second = random.nextInt(first + 1, ACCOUNTS + 1);
        add(first, -amount);
        add(second, amount);
        journal.setInt(1, random.nextInt(ACCOUNTS));
        journal.setInt(2, first);
        journal.setLong(3, amount);
        journal.executeUpdate();
        connection.commit();
        return this;
    }

    private void add(int account, int amount) throws SQLException {
        update.setLong(1, amount);
        update.setInt(2, account);
        update.executeUpdate();
    }
}
