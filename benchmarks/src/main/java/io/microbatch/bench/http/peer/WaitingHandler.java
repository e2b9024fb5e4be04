package io.microbatch.bench.http.peer;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** A thread for each request, as servlets have it: it waits for the body and for Kafka, and answers. */
final class WaitingHandler extends IngestHandler {

    private final Sending sending;

    WaitingHandler(Sending sending) {
        super(InvocationType.BLOCKING);
        this.sending = sending;
    }

    @Override
    void read(Request request, Exchange exchange) throws IOException {
        begin(request, Content.Source.asByteBuffer(request), exchange);
    }

    @Override
    void send(Ingest ingest, Exchange exchange) {
        try {
            exchange.written(sending.send(ingest.topic(), ingest.values(), ingest.timeoutMs()));
        } catch (Sending.RefusedException e) {
            exchange.failed(503, 50301, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.failed(500, 50001, "the server stops");
        } catch (ExecutionException | KafkaException | TimeoutException e) {
            exchange.failed(e);
        }
    }
}
