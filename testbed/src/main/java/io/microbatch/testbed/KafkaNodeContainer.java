package io.microbatch.testbed;

import com.github.dockerjava.api.command.InspectContainerResponse;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** A node whose ports are known before it starts. The Testcontainers class learns them after the start. */
final class KafkaNodeContainer extends KafkaContainer {

    KafkaNodeContainer(DockerImageName image) {
        super(image);
        getEnvMap().clear();
        withCommand("/etc/kafka/docker/run");
    }

    @Override
    protected void containerIsStarting(InspectContainerResponse containerInfo) {
        // Nothing waits for the ports.
    }
}
