package io.microbatch.connect.upstream.http;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The addresses that tasks of one connector share on this worker. The system would let another connector share them
 * too, and its clients' events would end up in the wrong topics. Any thread.
 */
final class WorkerPorts {

    private static final Map<InetSocketAddress, Holder> HOLDERS = new HashMap<>();

    private record Holder(String connector, int tasks) {}

    private WorkerPorts() {}

    /** Takes a share. Throws ConnectException if another connector has the address. */
    static void take(InetSocketAddress address, String connector) {
        synchronized (HOLDERS) {
            Holder holder = HOLDERS.get(address);
            if (holder != null && !holder.connector().equals(connector)) {
                throw new ConnectException("The connector " + holder.connector() + " listens on " + address
                        + " already: choose another upstream.http.port");
            }
            HOLDERS.put(address, new Holder(connector, holder == null ? 1 : holder.tasks() + 1));
        }
    }

    /** Gives a share back. */
    static void giveBack(InetSocketAddress address) {
        synchronized (HOLDERS) {
            Holder holder = HOLDERS.remove(address);
            if (holder != null && holder.tasks() > 1) {
                HOLDERS.put(address, new Holder(holder.connector(), holder.tasks() - 1));
            }
        }
    }
}
