package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the answers of a task are worth when it stops, pauses, or dies while clients post. */
@ExtendWith(Cluster.Shared.class)
class HttpStopIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int CLIENTS = 16;
    private static final int SOME = 200;

    private final Cluster cluster;

    HttpStopIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aStopAnswersEverybodyTruthfully(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-stop-" + mode.suffix());
        PostingClients clients = new PostingClients(ingest.start(mode, Map.of()), ingest.name());
        clients.start(CLIENTS);
        awaitWritten(clients, SOME);

        cluster.rest(mode).restart(ingest.name());
        awaitWritten(clients, clients.count(PostingClients.Outcome.WRITTEN) + SOME);
        cluster.rest(mode).stop(ingest.name());
        cluster.rest(mode).awaitState(ingest.name(), "STOPPED");
        clients.stop();

        PostingClients.Findings none = new PostingClients.Findings(Set.of(), Set.of(), Set.of());
        assertThat(clients.compare(ingest.values())).isEqualTo(none);
        assertThat(clients.count(PostingClients.Outcome.NOT_WRITTEN)).isPositive();
        assertThat(ingest.poster().isReady()).isFalse();
        cluster.rest(mode).delete(ingest.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everythingAnsweredBeforeAKillIsThere(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-kill-" + mode.suffix());
        try (ConnectWorker worker =
                cluster.worker(mode, "http-killed-" + mode.suffix()).start()) {
            worker.rest().create(ingest.name(), ingest.config(1, Map.of()));
            worker.awaitRunning(ingest.name(), 1);
            HttpPoster poster = ingest.poster();
            poster.awaitReady();
            PostingClients clients = new PostingClients(poster, ingest.name());
            clients.start(CLIENTS);
            awaitWritten(clients, SOME);

            cluster.kill(worker);
            worker.restart();
            worker.awaitRunning(ingest.name(), 1);
            awaitWritten(clients, clients.count(PostingClients.Outcome.WRITTEN) + SOME);
            clients.stop();

            PostingClients.Findings found = clients.compare(ingest.values());
            assertThat(found.lost()).isEmpty();
            assertThat(found.refusedPresent()).isEmpty();
            assertThat(found.duplicated()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aPausedTaskSaysThatNobodyPolls(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-pause-" + mode.suffix());
        HttpPoster poster = ingest.start(mode, Map.of("upstream.http.stall.ms", "500"));

        cluster.rest(mode).pause(ingest.name());
        cluster.rest(mode).awaitState(ingest.name(), "PAUSED");
        Await.until("not ready", PATIENCE, () -> !poster.isReady(), () -> "still ready");
        assertThat(poster.get("/health/ready").body()).contains("stalled");
        HttpPoster.Reply refused = poster.post("/events/" + ingest.name(), "text/plain", "paused");
        assertThat(refused.at("/error_code").asInt()).isEqualTo(50302);
        assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();

        cluster.rest(mode).resume(ingest.name());
        poster.awaitReady();
        // A busy machine may poll late once more. An event that is refused is not written.
        HttpPoster.Reply[] reply = new HttpPoster.Reply[1];
        Await.until(
                "an event to be taken",
                PATIENCE,
                () -> {
                    reply[0] = poster.post("/events/" + ingest.name(), "text/plain", "resumed");
                    return reply[0].status() != 503;
                },
                () -> reply[0].toString());
        assertThat(reply[0].status()).isEqualTo(200);
        assertThat(ingest.values()).containsExactly("resumed");
        cluster.rest(mode).delete(ingest.name());
    }

    private static void awaitWritten(PostingClients clients, long atLeast) {
        Await.until(
                atLeast + " events written",
                PATIENCE,
                () -> clients.count(PostingClients.Outcome.WRITTEN) >= atLeast,
                () -> clients.count(PostingClients.Outcome.WRITTEN) + " written");
    }
}
