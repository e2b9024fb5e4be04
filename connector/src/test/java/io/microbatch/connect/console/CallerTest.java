package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.kafka.connect.health.ConnectClusterState;
import org.apache.kafka.connect.health.ConnectorHealth;
import org.apache.kafka.connect.health.ConnectorState;
import org.apache.kafka.connect.health.ConnectorType;
import org.apache.kafka.connect.health.TaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the console does where a caller came by HTTPS with a header, and workers advertise HTTP. */
class CallerTest {

    private static final Console.Query QUERY = new Console.Query(true, false, Double.NaN, false);
    private static final Caller SECURE = new Caller("Basic abc", true);
    private static final TaskKey TASK = new TaskKey("caller-test", 0);
    private static final String ELSEWHERE = "127.0.0.1:1";
    private static final String NOT_ASKED = "not asked: it advertises http, and the header Authorization came by https";

    private int tasks = 1;

    /** Tasks on a worker that nobody can reach. */
    private final ConnectClusterState state = new ConnectClusterState() {
        @Override
        public Collection<String> connectors() {
            return List.of(TASK.connector());
        }

        @Override
        public ConnectorHealth connectorHealth(String connector) {
            return new ConnectorHealth(
                    connector,
                    new ConnectorState("RUNNING", ELSEWHERE, null),
                    IntStream.range(0, tasks)
                            .boxed()
                            .collect(Collectors.toMap(
                                    task -> task, task -> new TaskState(task, "RUNNING", ELSEWHERE, null))),
                    ConnectorType.SOURCE);
        }

        @Override
        public Map<String, String> connectorConfig(String connector) {
            return Map.of(ConnectorSettings.CLASS, "com.example.QueueConnector");
        }
    };

    /** A task is in this process if it has such an MBean. */
    public interface TaskMBean {

        /** An attribute, because an MBean has one. */
        double getRate();
    }

    @ParameterizedTest
    @CsvSource({
        "https://worker:8443/microbatch/,Basic a,http,true",
        "HTTPS://worker:8443/microbatch/,Basic a,http,true",
        "https://worker:8443/microbatch/,Basic a,https,false",
        "https://worker:8443/microbatch/,,http,false",
        "http://worker:8083/microbatch/,Basic a,http,false",
        "http://worker:8083/microbatch/,Basic a,https,false",
    })
    void isExposedByARequestWithoutTls(URI asked, String header, String scheme, boolean exposed) {
        UriInfo info = (UriInfo) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {UriInfo.class}, (proxy, method, arguments) -> asked);

        assertThat(Caller.of(info, header).isExposedBy(scheme)).isEqualTo(exposed);
    }

    @Test
    void doesNotShowItsHeader() {
        assertThat(SECURE.toString()).contains("HTTPS").doesNotContain("abc");
    }

    @Test
    void isToldWhyAnotherWorkerWasNotAsked() throws Console.BusyException, InterruptedException, IOException {
        try (Console console = new Console(state, new WorkerProperties(Map.of()))) {
            assertThat(otherWorkers(console)).containsExactly(Map.of("worker", ELSEWHERE, "state", NOT_ASKED));
            assertThat(history(console)).containsEntry("state", NOT_ASKED);
        }
    }

    /** The worker does not know its own address before it has answered itself. */
    @Test
    void seesTheTasksOfTheWorkerThatAnswers()
            throws Console.BusyException, InterruptedException, IOException, JMException {
        ObjectName name =
                new ObjectName(Bean.SOURCE.prefix() + ",connector=" + TASK.connector() + ",task=" + TASK.task());
        register(name);
        try (Console console = new Console(state, new WorkerProperties(Map.of()))) {
            assertThat(otherWorkers(console)).isEmpty();
            assertThat(history(console)).containsEntry("state", "ok");
        } finally {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
    }

    /** The MBean of a task that has just moved to another worker may still be here. */
    @Test
    void namesAWorkerThatHasTasksWhichAreNotHere()
            throws Console.BusyException, InterruptedException, IOException, JMException {
        tasks = 2;
        ObjectName name =
                new ObjectName(Bean.SOURCE.prefix() + ",connector=" + TASK.connector() + ",task=" + TASK.task());
        register(name);
        try (Console console = new Console(state, new WorkerProperties(Map.of()))) {
            assertThat(otherWorkers(console)).containsExactly(Map.of("worker", ELSEWHERE, "state", NOT_ASKED));
        } finally {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
    }

    private static void register(ObjectName name) throws JMException {
        TaskMBean task = () -> 1;
        Object ignored = ManagementFactory.getPlatformMBeanServer()
                .registerMBean(new StandardMBean(task, TaskMBean.class, false), name);
    }

    private static List<Map<String, Object>> otherWorkers(Console console)
            throws Console.BusyException, InterruptedException, IOException {
        return Json.objects(Json.read(console.answer(QUERY, SECURE)), "other_workers");
    }

    private static Map<String, Object> history(Console console)
            throws Console.BusyException, InterruptedException, IOException {
        return Json.object(Json.read(console.history(TASK, false, SECURE)));
    }
}
