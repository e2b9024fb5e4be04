package io.microbatch.bench.load;

/** How a worker delivers. */
public enum Delivery {
    /** One transaction for each poll. */
    EXACTLY_ONCE("exactly-once"),
    /** No transactions. */
    AT_LEAST_ONCE("at-least-once");

    private final String text;

    Delivery(String text) {
        this.text = text;
    }

    /** As the documentation calls it. */
    public String text() {
        return text;
    }

    /** As a key of a result. */
    public String key() {
        return text.replace('-', '_');
    }
}
