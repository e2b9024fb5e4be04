package io.microbatch.connect.console;

import io.microbatch.connect.common.Version;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.connect.health.ConnectClusterState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects what the console shows: of this worker's tasks from its MBeans, of the others' from the other workers. It
 * works on threads of its own, so that a herder, an MBean or a worker that does not answer costs the console its answer
 * and the worker nothing. Any thread.
 */
final class Console implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Console.class);

    private static final int THREADS = 2;
    private static final int QUEUED = 8;
    private static final long LOCAL_LIMIT_SECONDS = 3;

    /** How long an answer is used again, so that many open pages cost as much as one. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_ANSWERS = 16;
    private static final String TASKS = "tasks";

    private final LongSupplier nanoClock;
    private final String instance = UUID.randomUUID().toString();
    private final ClusterView cluster;
    private final TaskReader reader = new TaskReader(ManagementFactory.getPlatformMBeanServer());
    private final History history = new History();
    private final Peers peers;
    private final PasswordKeys passwords;
    private final Sampler sampler;
    private final ThreadPoolExecutor threads = Threads.pool("reader", THREADS, QUEUED);
    /** The latest answers. Guarded by itself. */
    private final Map<Asked, CachedAnswer> answers = new LinkedHashMap<>();
    /** Whether no answer is kept any more. Guarded by the answers. */
    private boolean isClosed;
    /** The addresses that turned out to be this worker's. Guarded by itself. */
    private final Set<String> own = new HashSet<>();

    /**
     * What is asked for.
     *
     * @param figures whether the figures are wanted
     * @param rates whether the events a second of the last ten minutes are wanted
     * @param goalMs the p99 that the advice is for; not a number without advice
     * @param local whether only the tasks of this worker are wanted
     */
    record Query(boolean figures, boolean rates, double goalMs, boolean local) {

        boolean advice() {
            return !Double.isNaN(goalMs);
        }

        /** The path of the same question to another worker. */
        String localPath() {
            return "/microbatch/v1/tasks?local=true&figures=" + figures + "&rates=" + rates
                    + (advice() ? "&p99=" + goalMs : "");
        }
    }

    /** A question and who asked it: another worker may refuse one caller and not the other. */
    private record Asked(Query query, Caller caller) {

        /** Without the credentials. */
        @Override
        public String toString() {
            return query.toString();
        }
    }

    private record CachedAnswer(byte[] json, long atNanos) {}

    /** The console is too busy, or something that it needs does not answer. The message says which. */
    static final class BusyException extends Exception {

        private static final long serialVersionUID = 1;

        BusyException(String message) {
            super(message);
        }
    }

    Console(ConnectClusterState state, WorkerProperties worker) {
        this(state, worker, System::nanoTime);
    }

    /** The same with a clock for the age of answers. */
    Console(ConnectClusterState state, WorkerProperties worker, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.cluster = new ClusterView(state, worker);
        this.peers = new Peers(worker.scheme(), worker.tls(), System::nanoTime);
        this.passwords = new PasswordKeys(peers);
        this.sampler = new Sampler(reader, cluster::knownSettings, history, this::forgetAnswers);
    }

    /**
     * Answers a question as JSON. Takes some seconds at most.
     *
     * @param caller who asks, for the other workers
     * @throws BusyException if there is no answer in time
     */
    byte[] answer(Query query, Caller caller) throws BusyException, InterruptedException {
        Asked asked = new Asked(query, caller);
        synchronized (answers) {
            CachedAnswer last = answers.get(asked);
            if (last != null && nanoClock.getAsLong() - last.atNanos() < FRESH_NANOS) {
                return last.json();
            }
        }
        byte[] json = Json.write(query.local() ? local(query, caller) : everywhere(query, caller));
        synchronized (answers) {
            forgetAnswers();
            if (!isClosed) {
                answers.put(asked, new CachedAnswer(json, nanoClock.getAsLong()));
            }
            if (answers.size() > MAX_ANSWERS) {
                answers.keySet().remove(answers.keySet().iterator().next());
            }
        }
        return json;
    }

    /** Forgets the answers that are not used again. They may have megabytes, and callers' credentials. */
    private void forgetAnswers() {
        synchronized (answers) {
            long nowNanos = nanoClock.getAsLong();
            answers.values().removeIf(answer -> nowNanos - answer.atNanos() >= FRESH_NANOS);
        }
    }

    /** The answers that are kept, the oldest first. */
    List<byte[]> kept() {
        synchronized (answers) {
            return answers.values().stream().map(CachedAnswer::json).toList();
        }
    }

    /**
     * The last ten minutes of one task as JSON. Takes some seconds at most.
     *
     * @param local whether only this worker is asked
     * @param caller as for {@link #answer}
     * @throws BusyException if there is no answer in time
     */
    byte[] history(TaskKey key, boolean local, Caller caller) throws BusyException, InterruptedException {
        Map<String, Object> json = head();
        json.put("instance", instance);
        json.put("connector", key.connector());
        json.put("task", key.task());
        json.put("step_ms", History.STEP_MS);
        Optional<String> worker = local ? Optional.empty() : inTime(() -> cluster.worker(key));
        if (worker.isEmpty() || isOwn(worker.get())) {
            return ofThisWorker(json, key);
        }
        String path = "/microbatch/v1/history?local=true&connector=" + RestPath.encoded(key.connector()) + "&task="
                + key.task();
        Peers.Answer answer = peers.ask(worker.get(), path, caller);
        // Its own address is not known yet to a worker that may not ask itself.
        if (answer.isWithheld() && inTime(reader::tasks).contains(key)) {
            return ofThisWorker(json, key);
        }
        json.put("state", answer.state());
        json.put("series", Json.object(Json.object(answer.body()).get("series")));
        return Json.write(json);
    }

    private byte[] ofThisWorker(Map<String, Object> json, TaskKey key) {
        json.put("state", "ok");
        json.put("series", history.of(key));
        return Json.write(json);
    }

    private Map<String, Object> local(Query query, Caller caller) throws BusyException, InterruptedException {
        return inTime(() -> {
            Map<TaskKey, ClusterView.Placed> placed = new TreeMap<>();
            cluster.sourceTasks().forEach(task -> placed.put(task.key(), task));
            // A task that has just left this worker may still have its MBeans.
            List<TaskKey> here =
                    reader.tasks().stream().filter(placed::containsKey).toList();
            List<Map<String, Object>> tasks = new ArrayList<>();
            for (TaskSnapshot task : reader.read(here, cluster::settings, EnumSet.allOf(Bean.class))) {
                tasks.add(report(placed.get(task.key()), task, query, caller));
            }
            Map<String, Object> json = head();
            json.put("instance", instance);
            json.put(TASKS, tasks);
            return json;
        });
    }

    private Map<String, Object> report(ClusterView.Placed placed, TaskSnapshot task, Query query, Caller caller)
            throws InterruptedException {
        Map<String, Object> json = TaskReport.placed(placed);
        ConnectorSettings settings = cluster.settings(placed.key().connector());
        if (query.figures()) {
            TaskReport.addFigures(json, task, settings);
        }
        if (query.rates()) {
            json.put("rates", history.rates(placed.key()));
        }
        if (query.advice()) {
            Advice advice = Advisor.advise(task, settings, placed.state(), query.goalMs());
            Optional<Set<String>> keys =
                    advice.change().isNone() && advice.alternatives().isEmpty()
                            ? Optional.empty()
                            : passwords.of(settings, placed.worker(), caller);
            json.put("advice", TaskReport.of(advice, settings, keys));
        }
        return json;
    }

    private Map<String, Object> everywhere(Query query, Caller caller) throws BusyException, InterruptedException {
        List<ClusterView.Placed> placed = inTime(cluster::sourceTasks);
        Map<String, Object> local = local(new Query(query.figures(), query.rates(), query.goalMs(), true), caller);
        Map<TaskKey, Map<String, Object>> found = new TreeMap<>();
        collect(local, found);
        // A worker that may not be asked is this one if all of its tasks are here. A task that has just moved is not.
        Set<String> elsewhere = placed.stream()
                .filter(task -> !found.containsKey(task.key()))
                .map(ClusterView.Placed::worker)
                .collect(Collectors.toSet());
        List<Map<String, Object>> workers = new ArrayList<>();
        for (Peers.Answer answer : peers.ask(others(placed), query.localPath(), caller)) {
            boolean isOwn = instance.equals(Json.object(answer.body()).get("instance"));
            if (isOwn) {
                remember(answer.worker());
            } else if (!answer.isWithheld() || elsewhere.contains(answer.worker())) {
                collect(answer.body(), found);
                workers.add(Map.of("worker", answer.worker(), "state", answer.state()));
            }
        }
        List<Map<String, Object>> tasks = new ArrayList<>();
        for (ClusterView.Placed task : placed) {
            Map<String, Object> known = found.get(task.key());
            tasks.add(known != null ? known : withoutFigures(task, query));
        }
        Map<String, Object> json = head();
        json.put("other_workers", workers);
        json.put(TASKS, tasks);
        return json;
    }

    private Map<String, Object> withoutFigures(ClusterView.Placed task, Query query) {
        Map<String, Object> json = TaskReport.placed(task);
        if (query.advice()) {
            // A failed task has no figures, but an advice.
            json.put(
                    "advice",
                    TaskReport.of(
                            Advisor.advise(
                                    new TaskSnapshot(task.key(), Map.of()),
                                    ConnectorSettings.UNKNOWN,
                                    task.state(),
                                    query.goalMs()),
                            ConnectorSettings.UNKNOWN,
                            Optional.empty()));
        }
        return json;
    }

    private static Map<String, Object> head() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("version", Version.current());
        json.put("taken_at_ms", System.currentTimeMillis());
        return json;
    }

    private static void collect(Object answer, Map<TaskKey, Map<String, Object>> found) {
        for (Map<String, Object> task : Json.objects(answer, TASKS)) {
            if (task.get("connector") instanceof String connector && task.get("task") instanceof Number number) {
                found.put(new TaskKey(connector, number.intValue()), task);
            }
        }
    }

    private Collection<String> others(List<ClusterView.Placed> placed) {
        Set<String> workers = new TreeSet<>();
        placed.forEach(task -> workers.add(task.worker()));
        synchronized (own) {
            workers.removeAll(own);
        }
        return workers;
    }

    private boolean isOwn(String address) {
        synchronized (own) {
            return own.contains(address);
        }
    }

    private void remember(String address) {
        synchronized (own) {
            boolean ignored = own.add(address);
        }
    }

    /** Runs a piece of work on a thread of the console, and waits for it for a bounded time. */
    private <T> T inTime(Callable<T> work) throws BusyException, InterruptedException {
        Future<T> future;
        try {
            future = threads.submit(work);
        } catch (RejectedExecutionException e) {
            throw new BusyException("The console answers too many questions at present, or is closed.");
        }
        try {
            return future.get(LOCAL_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            boolean ignored = future.cancel(true);
            throw new BusyException("The worker, or one of its MBeans, does not answer. It may be rebalancing.");
        } catch (ExecutionException e) {
            log.debug("The console cannot answer", e);
            throw new BusyException("The worker's state cannot be read: "
                    + e.getCause().getClass().getSimpleName() + ".");
        }
    }

    @Override
    public void close() {
        sampler.close();
        peers.close();
        List<Runnable> ignored = threads.shutdownNow();
        synchronized (answers) {
            isClosed = true;
            answers.clear();
        }
    }
}
