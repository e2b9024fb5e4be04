package io.microbatch.testbed;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import org.testcontainers.utility.DockerImageName;

/** The container images, each named by a system property. A named image must behave as the official one. */
enum ContainerImage {
    KAFKA("kafka.image", "apache/kafka"),
    CONNECT("connect.image", "apache/kafka"),
    POSTGRES("postgres.image", "postgres");

    private final String property;
    private final String official;

    ContainerImage(String property, String official) {
        this.property = property;
        this.official = official;
    }

    /** The name of the image, after the engine has found or pulled it. */
    DockerImageName require() {
        String named = System.getProperty(property);
        if (named == null || named.isBlank()) {
            throw new IllegalStateException(
                    "-D" + property + " names no image; " + official + ":<version> is the official one");
        }
        DockerImageName image = DockerImageName.parse(named).asCompatibleSubstituteFor(official);
        DockerClient docker = ContainerEngine.docker();
        try {
            docker.inspectImageCmd(named).exec();
        } catch (NotFoundException e) {
            pull(docker, image);
        }
        return image;
    }

    /** Pulls once: Testcontainers retries for minutes and cannot name the wrong property. */
    private void pull(DockerClient docker, DockerImageName image) {
        try {
            var ignored = docker.pullImageCmd(image.getUnversionedPart())
                    .withTag(image.getVersionPart())
                    .exec(new PullImageResultCallback())
                    .awaitCompletion();
        } catch (DockerException | DockerClientException e) {
            throw new IllegalStateException(
                    "no image '" + image.asCanonicalNameString() + "' is here, and it cannot be pulled: " + reason(e)
                            + ". -D" + property + " names another that does what " + official + " does",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while pulling " + image.asCanonicalNameString(), e);
        }
    }

    private static String reason(RuntimeException e) {
        return String.valueOf(e.getMessage()).strip();
    }
}
