package io.microbatch.bench.http;

import io.microbatch.bench.http.EventCodec.Place;
import io.microbatch.bench.http.LoadLoop.Times;
import io.microbatch.bench.http.Shape.Format;
import io.microbatch.bench.load.CpuClock;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs turns: a topic, a load, and the comparison of all answers with the topic. One thread. */
final class HttpRun {

    private static final Duration STABLE_LIMIT = Duration.ofSeconds(60);

    private final HttpStack stack;
    private final Format format;
    private int turns;

    HttpRun(HttpStack stack, Format format) {
        this.stack = stack;
        this.format = format;
    }

    /**
     * A turn. What goes wrong is in the result, so that the other contenders still have their turns.
     *
     * @param perSec requests per second; 0 for a closed loop
     */
    HttpTurn turn(HttpContender contender, Cell cell, double perSec, Times times) {
        int run = ++turns;
        String topic = "http-" + run;
        stack.topics().create(List.of(topic), 1);
        try {
            return load(contender, cell, perSec, times, topic, run);
        } catch (RuntimeException e) {
            return HttpTurn.failed(e.toString());
        } finally {
            stack.topics().delete(List.of(topic));
        }
    }

    private HttpTurn load(HttpContender contender, Cell cell, double perSec, Times times, String topic, int run) {
        Shape shape = cell.shape(format, contender.isKeyed());
        LoadFigures figures;
        Ledger ledger;
        String refusal;
        Cpu cpu;
        try (HttpStack.Running running = stack.begin(contender, cell, topic);
                SlowSockets slow = new SlowSockets(running.server(), topic, cell.slow());
                LoadLoop loop = new LoadLoop(running.server(), topic, shape, cell.clients(), run)) {
            cpu = new Cpu(running.pid(), stack.brokerPids());
            slow.begin();
            figures = loop.run(perSec, times, cpu::begin, cpu::end);
            ledger = loop.ledger();
            refusal = loop.refusal();
        }
        // Only now: nothing more of it can get there.
        TopicCheck.Found found = compare(topic, ledger, cell.records(), run);
        boolean verified = isVerified(contender, found, figures);
        String problem = figures.answered() > 0 ? "" : "no request was answered with 200, but: " + refusal;
        return new HttpTurn(
                verified && problem.isEmpty(),
                problem,
                found,
                figures,
                // Beyond saturation the rate is not meant to be carried.
                cell.load() == Cell.Load.BEYOND ? 0 : perSec,
                cell.records(),
                cpu.serverSec(),
                cpu.clientSec());
    }

    private TopicCheck.Found compare(String topic, Ledger ledger, int records, int run) {
        TopicCheck check = new TopicCheck(ledger, records);
        EventCodec codec = new EventCodec();
        TopicReader reader = new TopicReader(stack.bootstrapServers());
        // A server may have answered before its last transaction was marked.
        reader.awaitStable(topic, STABLE_LIMIT);
        reader.readCommitted(topic, record -> {
            Place place = codec.read(record.value());
            if (place == null || place.run() != run) {
                check.sawForeign();
            } else {
                check.saw(place.client(), place.request(), place.record());
            }
        });
        return check.found();
    }

    /** A peer promises nothing but its 200s. */
    static boolean isVerified(HttpContender contender, TopicCheck.Found found, LoadFigures figures) {
        if (contender == HttpContender.PEER) {
            return found.lost() == 0 && found.foreign() == 0;
        }
        boolean isTrue = contender.delivery() == Delivery.EXACTLY_ONCE ? found.isExactlyOnce() : found.isAtLeastOnce();
        return isTrue && (figures.hung() == 0 || !contender.isOurs());
    }

    /** The processors' time of the measured part. */
    private static final class Cpu {

        private final List<Long> servers = new ArrayList<>();
        private final boolean isKnown;
        private double serverSec;
        private double clientSec;

        Cpu(long pid, List<Long> brokers) {
            isKnown = pid >= 0;
            servers.addAll(brokers);
            if (isKnown) {
                servers.add(pid);
            }
        }

        void begin() {
            serverSec = -servers();
            clientSec = -client();
        }

        void end() {
            serverSec += servers();
            clientSec += client();
        }

        private double servers() {
            return servers.stream().mapToDouble(CpuClock::seconds).sum();
        }

        private static double client() {
            return CpuClock.seconds(ProcessHandle.current().pid());
        }

        double serverSec() {
            return isKnown ? serverSec : Double.NaN;
        }

        double clientSec() {
            return clientSec;
        }
    }
}
