package io.microbatch.bench.http;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Compares what clients were told with what is in the topic. Gets the records in the order of the topic, which has one
 * partition. One thread.
 */
public final class TopicCheck {

    private final Ledger ledger;
    private final int recordsPerRequest;
    private final BitSet[] seen;
    private final int[] highest;
    private long duplicated;
    private long reordered;
    private long foreign;

    /** Of requests with this many records each. */
    public TopicCheck(Ledger ledger, int recordsPerRequest) {
        this.ledger = ledger;
        this.recordsPerRequest = recordsPerRequest;
        this.seen = new BitSet[ledger.clients()];
        this.highest = new int[ledger.clients()];
        for (int client = 0; client < seen.length; client++) {
            seen[client] = new BitSet();
            highest[client] = -1;
        }
    }

    /**
     * What was found.
     *
     * @param records records of requests that were answered with 200
     * @param lost those of them that are not there
     * @param duplicated records beyond the first of their event, whatever the answer was
     * @param reordered first records that come after those of a later request of their client
     * @param refusedPresent records of refused requests
     * @param torn requests without an answer of which some records are there and others are not
     * @param foreign records that no client has sent, or that are altered
     */
    public record Found(
            long records, long lost, long duplicated, long reordered, long refusedPresent, long torn, long foreign) {

        /** Whether every answer was true, everything is in order and nothing is there twice or in part. */
        public boolean isExactlyOnce() {
            return isAtLeastOnce() && duplicated == 0 && torn == 0;
        }

        /** Whether every answer was true and first records are in order. */
        public boolean isAtLeastOnce() {
            return lost == 0 && refusedPresent == 0 && reordered == 0 && foreign == 0;
        }

        /** The counts, as results have them. */
        public Map<String, Object> toJson() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("records", records);
            json.put("lost", lost);
            json.put("duplicated", duplicated);
            json.put("reordered", reordered);
            json.put("refused_present", refusedPresent);
            json.put("torn", torn);
            json.put("foreign", foreign);
            return json;
        }

        @Override
        public String toString() {
            return "lost " + lost + ", duplicated " + duplicated + ", reordered " + reordered + ", refused and there "
                    + refusedPresent + ", torn " + torn + ", foreign " + foreign;
        }
    }

    /** Adds a record that is no event of this run, or is altered. */
    public void sawForeign() {
        foreign++;
    }

    /** Adds a record of the topic. */
    public void saw(int client, int request, int record) {
        boolean known = client >= 0
                && client < seen.length
                && request >= 0
                && request < ledger.requests(client)
                && record >= 0
                && record < recordsPerRequest;
        if (!known) {
            foreign++;
            return;
        }
        int index = Math.addExact(Math.multiplyExact(request, recordsPerRequest), record);
        if (seen[client].get(index)) {
            duplicated++;
            return;
        }
        seen[client].set(index);
        if (index < highest[client]) {
            reordered++;
        } else {
            highest[client] = index;
        }
    }

    /** What was found so far. */
    public Found found() {
        long records = 0;
        long lost = 0;
        long refusedPresent = 0;
        long torn = 0;
        for (int client = 0; client < seen.length; client++) {
            for (int request = 0; request < ledger.requests(client); request++) {
                int present = present(client, request);
                switch (ledger.outcome(client, request)) {
                    case WRITTEN -> {
                        records += recordsPerRequest;
                        lost += recordsPerRequest - present;
                    }
                    case NOT_WRITTEN -> refusedPresent += present;
                    case UNKNOWN -> torn += present > 0 && present < recordsPerRequest ? 1 : 0;
                }
            }
        }
        return new Found(records, lost, duplicated, reordered, refusedPresent, torn, foreign);
    }

    private int present(int client, int request) {
        int from = request * recordsPerRequest;
        int present = 0;
        for (int record = 0; record < recordsPerRequest; record++) {
            present += seen[client].get(from + record) ? 1 : 0;
        }
        return present;
    }
}
