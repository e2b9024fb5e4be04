package io.microbatch.connect.upstream.http;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The addresses that tasks of one connector share on this worker. The system would let another connector share them
 * too, and its clients' events would end up in the wrong topics. A wildcard address overlaps every address of its port.
 * Any thread.
 */
final class WorkerPorts {

    private static final Map<InetSocketAddress, Holder> HOLDERS = new HashMap<>();

    private record Holder(String connector, int tasks) {}

    private WorkerPorts() {}

    /**
     * Takes a share. Throws ConnectException with a BindException as its cause if another connector or another process
     * has the address: perhaps the same connector under its old name, whose tasks still stop.
     */
    static void take(InetSocketAddress address, String connector) {
        synchronized (HOLDERS) {
            boolean isHeld = false;
            for (Map.Entry<InetSocketAddress, Holder> other : HOLDERS.entrySet()) {
                boolean overlaps = overlap(address, other.getKey());
                String holder = other.getValue().connector();
                if (overlaps && !holder.equals(connector)) {
                    BindException cause = new BindException("The connector " + holder + " listens on it");
                    throw new ConnectException(
                            "Cannot listen on " + address + ", on which the connector " + holder
                                    + " listens: choose another upstream.http.port",
                            cause);
                }
                isHeld |= overlaps;
            }
            if (!isHeld) {
                probe(address);
            }
            Holder holder = HOLDERS.get(address);
            HOLDERS.put(address, new Holder(connector, holder == null ? 1 : holder.tasks() + 1));
        }
    }

    private static boolean overlap(InetSocketAddress one, InetSocketAddress other) {
        return one.getPort() == other.getPort()
                && (one.equals(other)
                        || one.getAddress().isAnyLocalAddress()
                        || other.getAddress().isAnyLocalAddress());
    }

    /** Binds without sharing, which fails if another process listens, and does not listen. */
    private static void probe(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException e) {
            throw new ConnectException("Cannot listen on " + address + ", which another process may have", e);
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
