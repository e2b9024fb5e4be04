import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Takes payments for ten orders, and writes the event of each payment in the transaction of the payment.
 *
 * <p>{@code java -cp postgresql.jar OrderService.java jdbc:postgresql://127.0.0.1:5432/shop user password 1000}. The
 * last argument is the number of payments. Several of these programs may run at the same time.
 */
public final class OrderService {

    /** A payment keeps its id when it is repeated. */
    private record Payment(UUID id, int order, int amount) {
        static Payment any() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            return new Payment(UUID.randomUUID(), random.nextInt(1, 11), random.nextInt(1, 100));
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int payments = Integer.parseInt(arguments[3]);
        Payment payment = Payment.any();
        for (int taken = 0; taken < payments; ) {
            try (Connection database = DriverManager.getConnection(arguments[0], arguments[1], arguments[2])) {
                database.setAutoCommit(false);
                for (; taken < payments; taken++) {
                    take(payment, database);
                    payment = Payment.any();
                }
            } catch (SQLException e) {
                System.err.println("Repeats payment " + payment.id() + ": " + e.getMessage());
                TimeUnit.SECONDS.sleep(1);
            }
        }
        System.out.println(payments + " payments taken");
    }

    private static void take(Payment payment, Connection database) throws SQLException {
        // This locks the order until the commit. So the events of an order are in the order of its payments.
        change(database, "UPDATE orders SET paid = paid + ? WHERE id = ?", payment.amount(), payment.order());
        String insert = "INSERT INTO payments (id, order_id, amount) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
        if (change(database, insert, payment.id(), payment.order(), payment.amount()) == 0) {
            database.rollback(); // An earlier attempt was committed, though its commit was not answered.
            return;
        }
        String event = "INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload)"
                + " SELECT ?, 'orders', id, 'OrderPaid', jsonb_build_object('paid', paid, 'amount', ?)"
                + " FROM orders WHERE id = ?";
        change(database, event, payment.id(), payment.amount(), payment.order());
        database.commit();
    }

    private static int change(Connection database, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
