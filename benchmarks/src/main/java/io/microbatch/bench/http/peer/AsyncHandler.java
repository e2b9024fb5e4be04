package io.microbatch.bench.http.peer;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Promise;

/**
 * No thread waits for a request: the thread that reads the sockets sends, and the one that learns that Kafka has the
 * records answers.
 */
final class AsyncHandler extends IngestHandler {

    private final Submitting submitting;

    AsyncHandler(Submitting submitting) {
        super(InvocationType.NON_BLOCKING);
        this.submitting = submitting;
    }

    @Override
    void read(Request request, Exchange exchange) {
        Content.Source.asByteBuffer(request, new Promise<ByteBuffer>() {
            @Override
            public void succeeded(ByteBuffer body) {
                begin(request, body, exchange);
            }

            @Override
            public void failed(Throwable cause) {
                exchange.callback().failed(cause);
            }
        });
    }

    @Override
    void send(Ingest ingest, Exchange exchange) {
        CompletableFuture<List<RecordMetadata>> places;
        try {
            places = submitting.submit(ingest.topic(), ingest.values());
        } catch (KafkaException e) {
            exchange.failed(e);
            return;
        }
        CompletableFuture<List<RecordMetadata>> ignored = places.orTimeout(ingest.timeoutMs(), TimeUnit.MILLISECONDS)
                .whenComplete((written, cause) -> {
                    if (cause == null) {
                        exchange.written(written);
                    } else {
                        exchange.failed(cause);
                    }
                });
    }
}
