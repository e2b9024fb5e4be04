package io.microbatch.testbed;

import com.github.dockerjava.api.DockerClient;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** {@link ContainerServer} waits itself: until the server answers its clients, and not when it has ended. */
final class NoWaiting {

    private NoWaiting() {}

    /** Nor for the container to run: it may have ended, and its log, which Testcontainers would remove, says why. */
    static final class UntilItRuns extends StartupCheckStrategy {

        @Override
        public StartupStatus checkStartupState(DockerClient docker, String containerId) {
            return StartupStatus.SUCCESSFUL;
        }
    }

    static final class UntilItAnswers extends AbstractWaitStrategy {

        @Override
        protected void waitUntilReady() {
            // Also done by whatever starts it again after a kill.
        }
    }
}
