package io.microbatch.testbed;

import com.github.dockerjava.api.DockerClient;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * Disables the waits of Testcontainers, because {@link ContainerServer} itself waits until the server responds or has
 * ended.
 */
final class NoWaiting {

    private NoWaiting() {}

    /**
     * Does not wait until the container runs. It may have ended, and Testcontainers would remove its log with the
     * cause.
     */
    static final class UntilItRuns extends StartupCheckStrategy {

        @Override
        public StartupStatus checkStartupState(DockerClient docker, String containerId) {
            return StartupStatus.SUCCESSFUL;
        }
    }

    static final class UntilItAnswers extends AbstractWaitStrategy {

        @Override
        protected void waitUntilReady() {
            // A restart after a kill also calls this method.
        }
    }
}
