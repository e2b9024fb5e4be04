package io.microbatch.bench.micro;

import java.util.Map;

/** What a change event goes through between its upstream and the producer, as far as dead letters change it. */
enum LetterKind {
    /** No dead letter topic: the worker converts. */
    NONE(Map.of()),
    /** The task converts, and the worker passes bytes on. */
    CONVERT(Map.of(
            "deadletter.key.converter",
            LetterBenchmark.JSON,
            "deadletter.key.converter.schemas.enable",
            "false",
            "deadletter.value.converter",
            LetterBenchmark.JSON,
            "deadletter.value.converter.schemas.enable",
            "false")),
    /** The task converts for a trial, and the worker converts. */
    TRY(Map.of(
            "key.converter.delegate",
            LetterBenchmark.JSON,
            "key.converter.delegate.schemas.enable",
            "false",
            "value.converter.delegate",
            LetterBenchmark.JSON,
            "value.converter.delegate.schemas.enable",
            "false"));

    private final Map<String, String> settings;

    LetterKind(Map<String, String> settings) {
        this.settings = settings;
    }

    /** The converters' settings. */
    Map<String, String> settings() {
        return settings;
    }
}
