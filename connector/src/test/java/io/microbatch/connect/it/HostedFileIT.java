package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kafka's file source, hosted: its lines, its offsets, and a move from the plain connector and back. */
@ExtendWith(Cluster.Shared.class)
class HostedFileIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String FILE_SOURCE = "org.apache.kafka.connect.file.FileStreamSourceConnector";

    private final Cluster cluster;

    HostedFileIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void replacesAPlainConnectorAtItsOffsetAndMovesItBack(Mode mode) throws Exception {
        String name = "file-" + mode.suffix();
        Path file = cluster.directory().resolve(name + ".txt");
        ConnectRest rest = cluster.rest(mode);
        List<String> written = new ArrayList<>();

        append(file, written, 500);
        rest.create(name, plain(name, file));
        awaitLines(name, written);

        // The hosted connector has the same name, so that it finds the plain one's offsets.
        stop(rest, name);
        rest.put(name, hosted(name, file));
        append(file, written, 500);
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, 1);
        awaitLines(name, written);

        stop(rest, name);
        append(file, written, 500);
        rest.resume(name);
        awaitLines(name, written);
        long fileBytes = Files.size(file);
        Await.until(
                "the offset of the last line",
                PATIENCE,
                () -> rest.offsets(name).at("/offsets/0/offset/position").asLong() == fileBytes,
                () -> rest.offsets(name).toString());

        stop(rest, name);
        rest.put(name, plain(name, file));
        append(file, written, 500);
        rest.resume(name);
        awaitLines(name, written);
        rest.delete(name);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void continuesAtAlteredOffsetsAndAtTheBeginningAfterAReset(Mode mode) throws Exception {
        String name = "altered-" + mode.suffix();
        Path file = cluster.directory().resolve(name + ".txt");
        ConnectRest rest = cluster.rest(mode);
        List<String> written = new ArrayList<>();
        append(file, written, 10);
        rest.create(name, hosted(name, file));
        awaitLines(name, written);
        List<String> expected = new ArrayList<>(written);

        stop(rest, name);
        long behindTheEighthLine = "line 0\n".length() * 8L;
        rest.alterOffsets(name, offsets(file, behindTheEighthLine));
        rest.resume(name);
        expected.addAll(written.subList(8, 10));
        awaitLines(name, expected);

        stop(rest, name);
        rest.resetOffsets(name);
        rest.resume(name);
        expected.addAll(written);
        awaitLines(name, expected);
        rest.delete(name);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void hostsAConnectorByItsAlias(Mode mode) throws Exception {
        String name = "alias-" + mode.suffix();
        Path file = cluster.directory().resolve(name + ".txt");
        ConnectRest rest = cluster.rest(mode);
        List<String> written = new ArrayList<>();
        append(file, written, 1_000);
        Map<String, String> config = hosted(name, file);
        config.put("upstream.connector.class", "FileStreamSource");
        rest.create(name, config);
        awaitLines(name, written);

        // A move to the same offset. The test checks the tail after the connector has stopped.
        rest.restart(name);
        append(file, written, 500);
        awaitLines(name, written);
        stop(rest, name);
        assertThat(lines(name)).isEqualTo(written);
        rest.delete(name);
    }

    private static ObjectNode offsets(Path file, long position) {
        ObjectNode body = new ObjectMapper().createObjectNode();
        ObjectNode entry = body.putArray("offsets").addObject();
        entry.putObject("partition").put("filename", file.toString());
        entry.putObject("offset").put("position", position);
        return body;
    }

    private static void stop(ConnectRest rest, String name) {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
    }

    private static void append(Path file, List<String> written, int lines) throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            String line = "line " + written.size();
            written.add(line);
            text.append(line).append('\n');
        }
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void awaitLines(String topic, List<String> expected) {
        Await.until(
                expected.size() + " lines in " + topic,
                PATIENCE,
                () -> lines(topic).size() >= expected.size(),
                () -> lines(topic).size() + " seen");
        assertThat(lines(topic)).isEqualTo(expected);
    }

    private List<String> lines(String topic) {
        return cluster.reader().readCommitted(topic).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private static Map<String, String> plain(String name, Path file) {
        Map<String, String> config = converters();
        config.put("connector.class", FILE_SOURCE);
        config.put("topic", name);
        config.put("file", file.toString());
        return config;
    }

    private Map<String, String> hosted(String name, Path file) {
        Map<String, String> config = converters();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("upstream.connector.class", FILE_SOURCE);
        config.put("upstream.connector.topic", name);
        config.put("upstream.connector.file", file.toString());
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        return config;
    }

    private static Map<String, String> converters() {
        Map<String, String> config = new HashMap<>();
        config.put("tasks.max", "1");
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        return config;
    }
}
