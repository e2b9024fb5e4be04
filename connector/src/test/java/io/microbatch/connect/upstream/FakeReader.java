package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.SettledEvent;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A reader that runs the steps of a test and records every call with its thread. */
class FakeReader implements UpstreamReader {

    /** The action of a fetch. */
    @FunctionalInterface
    interface Fetch {
        void into(Intake intake) throws InterruptedException;
    }

    /** The action of another call. */
    @FunctionalInterface
    interface Step {
        void run();
    }

    final ClassLoader loader = new URLClassLoader(new URL[0], FakeReader.class.getClassLoader());
    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Thread> threads = new CopyOnWriteArrayList<>();
    final List<ClassLoader> loaders = new CopyOnWriteArrayList<>();
    final List<SettledEvent> settled = new CopyOnWriteArrayList<>();
    final CountDownLatch fetched = new CountDownLatch(3);
    final CountDownLatch stopped = new CountDownLatch(1);
    final AtomicInteger committed = new AtomicInteger();
    final List<Thread> stoppingThreads = new CopyOnWriteArrayList<>();
    volatile boolean abandoned;
    volatile double lagMs = Double.NaN;
    volatile double connected = Double.NaN;
    volatile double heartbeatMs = Double.NaN;
    volatile Step onStart = () -> {};
    volatile Fetch onFetch = intake -> {};
    volatile Step onSettled = () -> {};
    volatile Step onStopping = () -> {};
    volatile Step onStop = () -> {};

    private void note(String call) {
        // Fetch and committed are called endlessly while a reader runs.
        if (calls.isEmpty() || !calls.contains(call)) {
            calls.add(call);
        }
        if (!threads.contains(Thread.currentThread())) {
            threads.add(Thread.currentThread());
            loaders.add(Thread.currentThread().getContextClassLoader());
        }
    }

    @Override
    public ClassLoader classLoader() {
        return loader;
    }

    @Override
    public void start() {
        note("start");
        onStart.run();
    }

    @Override
    public void fetch(Intake intake) throws InterruptedException {
        note("fetch");
        fetched.countDown();
        onFetch.into(intake);
    }

    @Override
    public double lagMs() {
        return lagMs;
    }

    @Override
    public double connected() {
        return connected;
    }

    @Override
    public double heartbeatMs() {
        return heartbeatMs;
    }

    @Override
    public void settled(SettledEvent event) {
        note("settled");
        settled.add(event);
        onSettled.run();
    }

    @Override
    public void committed(Progress progress) {
        note("committed");
        committed.incrementAndGet();
    }

    @Override
    public void stopping() {
        stoppingThreads.add(Thread.currentThread());
        onStopping.run();
    }

    @Override
    public void abandon() {
        abandoned = true;
    }

    @Override
    public void stop() {
        note("stop");
        stopped.countDown();
        onStop.run();
    }
}
