package io.microbatch.testbed;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Container;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.testcontainers.DockerClientFactory;

/**
 * The Docker engine, and whose containers are whose. Their labels say which process they belong to, so that what a
 * killed one left can be distinguished from what is in use and is removed by the next one that starts a container. Any
 * thread.
 */
final class ContainerEngine {

    private static final String HOST = "io.microbatch.testbed.host";
    private static final String PID = "io.microbatch.testbed.pid";

    private static DockerClient docker;

    private ContainerEngine() {}

    /** A client of it. */
    static synchronized DockerClient docker() {
        if (docker == null) {
            docker = connected();
            removeLeftOvers(docker);
        }
        return docker;
    }

    /** What marks the containers of this process. */
    static Map<String, String> labels() {
        return Map.of(HOST, host(), PID, Long.toString(ProcessHandle.current().pid()));
    }

    private static DockerClient connected() {
        try {
            return DockerClientFactory.instance().client();
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "no use of Docker: start its engine, say where it is with DOCKER_HOST, or leave out"
                            + " -Pcontainers. Where the image of Testcontainers' own container, Ryuk, cannot be had,"
                            + " set TESTCONTAINERS_RYUK_DISABLED=true",
                    e);
        }
    }

    static void removeLeftOvers(DockerClient docker) {
        for (Container each : docker.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Map.of(HOST, host()))
                .exec()) {
            if (ProcessHandle.of(Long.parseLong(each.getLabels().get(PID))).isEmpty()) {
                docker.removeContainerCmd(each.getId())
                        .withForce(true)
                        .withRemoveVolumes(true)
                        .exec();
            }
        }
    }

    /** A process id means nothing in a container or on another machine that uses the same engine. */
    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
