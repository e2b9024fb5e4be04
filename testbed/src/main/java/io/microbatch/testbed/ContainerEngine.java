package io.microbatch.testbed;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Container;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.testcontainers.DockerClientFactory;

/**
 * The Docker engine and the owners of its containers. Labels name the owning process. So the next process that starts a
 * container can remove those of a killed process. Any thread.
 */
final class ContainerEngine {

    private static final String HOST = "io.microbatch.testbed.host";
    private static final String PID = "io.microbatch.testbed.pid";

    private static DockerClient docker;

    private ContainerEngine() {}

    /** A client of the engine. */
    static synchronized DockerClient docker() {
        if (docker == null) {
            docker = connected();
            removeLeftOvers(docker);
        }
        return docker;
    }

    /** The labels of this process's containers. */
    static Map<String, String> labels() {
        return Map.of(HOST, host(), PID, Long.toString(ProcessHandle.current().pid()));
    }

    private static DockerClient connected() {
        try {
            return DockerClientFactory.instance().client();
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "Docker is not available: start its engine, set its address with DOCKER_HOST, or leave out"
                            + " -Pcontainers. If the image of Testcontainers' own container, Ryuk, is not available,"
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

    /**
     * Distinguishes hosts: a process id has no meaning in a container or on another machine that uses the same engine.
     */
    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
