package io.microbatch.testbed;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.NotFoundException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.testcontainers.containers.GenericContainer;

/**
 * One server in a container that shares this machine's network. The container and its data remain after the end of the
 * server until {@link #remove}, or until the JVM ends.
 */
final class ContainerServer implements Server {

    private static final int TAIL_LINES = 40;
    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    private final String name;
    private final GenericContainer<?> container;
    private ShutdownGuard.Registration registration;

    ContainerServer(String name, GenericContainer<?> container) {
        this.name = name;
        this.container = container;
    }

    @Override
    public void start(Duration limit, BooleanSupplier ready) {
        if (registration == null) {
            ShutdownGuard.startGuarded(this::create);
        } else {
            docker().startContainerCmd(id()).exec();
        }
        boolean answered = Await.reached(limit, () -> !isAlive() || ready.getAsBoolean());
        if (!answered || !isAlive()) {
            String outcome = isAlive() ? "was not ready within " + limit.toMillis() + " ms" : "ended" + code();
            String tail = tail();
            remove(Duration.ZERO);
            throw new IllegalStateException(name + " " + outcome + ". " + tail);
        }
    }

    /** Registers the removal first, because a container that fails to start may still exist. */
    private boolean create() {
        registration = ShutdownGuard.register(container::stop);
        try {
            container.start();
            return true;
        } catch (RuntimeException e) {
            remove(Duration.ZERO);
            throw new IllegalStateException(
                    "no container for " + name + " of the image " + container.getDockerImageName(), e);
        }
    }

    @Override
    public boolean isAlive() {
        return state().map(ContainerState::getRunning).orElse(false);
    }

    @Override
    public long pid() {
        return state().map(ContainerState::getPidLong).orElseThrow();
    }

    private String code() {
        return state().map(state -> " with code " + state.getExitCodeLong()).orElse(": the container was removed");
    }

    @Override
    public void stop(Duration grace) {
        if (isAlive()) {
            docker().stopContainerCmd(id()).withTimeout((int) grace.toSeconds()).exec();
        }
    }

    @Override
    public void remove(Duration grace) {
        if (registration == null) {
            return;
        }
        stop(grace);
        container.stop();
        registration.close();
        registration = null;
    }

    @Override
    public void kill() {
        signal("KILL");
    }

    /** Sends a signal that ends the server, and waits for the end. */
    void signal(String signal) {
        if (!isAlive()) {
            return;
        }
        docker().killContainerCmd(id()).withSignal(signal).exec();
        Await.until(name + " is gone", KILL_LIMIT, () -> !isAlive(), () -> "still there");
    }

    @Override
    public void freeze() {
        docker().pauseContainerCmd(id()).exec();
    }

    @Override
    public void thaw() {
        docker().unpauseContainerCmd(id()).exec();
    }

    @Override
    public List<String> lines() {
        return state().isEmpty() ? List.of() : container.getLogs().lines().toList();
    }

    @Override
    public String tail() {
        List<String> lines = lines();
        List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
        return "End of the log of " + name + ", image " + container.getDockerImageName() + ":\n"
                + String.join("\n", last);
    }

    /** The state that the engine reports. Empty if the container does not exist. */
    private Optional<ContainerState> state() {
        if (registration == null || id() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(docker().inspectContainerCmd(id()).exec().getState());
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    private String id() {
        return container.getContainerId();
    }

    private DockerClient docker() {
        return container.getDockerClient();
    }
}
