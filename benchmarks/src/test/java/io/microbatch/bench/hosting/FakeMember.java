package io.microbatch.bench.hosting;

import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.oracle.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A member whose topics hold what the test says. */
final class FakeMember extends Member {

    static final long RUN = 7;
    static final int EVENTS = 5;

    private final Duration patience;
    private final int hostedEvents;
    private int bursts;
    private int halves;

    /** One that loses, hosted, what is missing to {@value #EVENTS} events. */
    FakeMember(String name, Duration patience, int hostedEvents) {
        super(name, "fake", 1, true);
        this.patience = patience;
        this.hostedEvents = hostedEvents;
    }

    int bursts() {
        return bursts;
    }

    int halves() {
        return halves;
    }

    @Override
    Duration patience() {
        return patience;
    }

    @Override
    List<Topic> topics(Side side) {
        return List.of(new Topic(name + "-" + side.text(), 1, false));
    }

    @Override
    Map<String, String> own(Side side) {
        return Map.of("class", "Fake", "password", "placeholder");
    }

    @Override
    Map<String, String> around() {
        return Map.of("tasks.max", "1");
    }

    @Override
    void begin() {}

    @Override
    void write(int events) {}

    @Override
    void burst() {
        bursts++;
    }

    @Override
    void halfway() {
        halves++;
    }

    @Override
    Delivered delivered(Side side, TopicReader reader) {
        Delivered delivered = new Delivered(RUN, EVENTS);
        for (int number = 0; number < (side == Side.HOSTED ? hostedEvents : EVENTS); number++) {
            delivered.saw(Records.record("key" + number, "value"), new Event(RUN, 0, number, 0));
        }
        return delivered;
    }
}
