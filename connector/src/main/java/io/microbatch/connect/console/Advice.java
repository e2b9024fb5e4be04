package io.microbatch.connect.console;

import java.util.List;

/**
 * What the console says about one task. Immutable; any thread.
 *
 * @param verdict what the advice amounts to
 * @param summary the advice in one or two sentences
 * @param evidence the numbers that it rests on
 * @param now what the model says of the present setting, with the transactions a second as they are
 * @param then what to expect of the advice
 * @param change what to change; {@link Change#NONE} unless the verdict is to set keys or to wrap
 * @param alternatives what would help too, or does not, and why
 */
record Advice(
        Verdict verdict,
        String summary,
        List<Evidence> evidence,
        Estimate now,
        Estimate then,
        Change change,
        List<Alternative> alternatives) {

    Advice {
        evidence = List.copyOf(evidence);
        alternatives = List.copyOf(alternatives);
    }

    /**
     * Another way. Immutable.
     *
     * @param summary the way in a sentence
     * @param then what to expect of it
     * @param change what to change
     */
    record Alternative(String summary, Estimate then, Change change) {}

    /** An advice that changes nothing. */
    static Advice without(Verdict verdict, String summary, List<Evidence> evidence, Estimate now) {
        return new Advice(verdict, summary, evidence, now, now, Change.NONE, List.of());
    }
}
