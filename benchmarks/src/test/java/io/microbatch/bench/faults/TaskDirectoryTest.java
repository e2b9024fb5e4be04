package io.microbatch.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskDirectoryTest {

    @Test
    void findsTheRunningTasksByTheirWorkersAndNumbers() throws JsonProcessingException {
        JsonNode status = new ObjectMapper()
                .readTree("{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":["
                        + "{\"id\":0,\"state\":\"RUNNING\",\"worker_id\":\"127.0.0.1:8083\"},"
                        + "{\"id\":1,\"state\":\"UNASSIGNED\",\"worker_id\":\"127.0.0.1:8083\"},"
                        + "{\"id\":3,\"state\":\"RUNNING\",\"worker_id\":\"[::1]:8084\"}]}");

        assertThat(TaskDirectory.running(status, 9_000))
                .isEqualTo(Map.of(
                        0, URI.create("http://127.0.0.1:9000"),
                        3, URI.create("http://[::1]:9003")));
    }
}
