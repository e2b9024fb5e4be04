package io.microbatch.connect.upstream.http;

/** The answers to questions about the task. They show no secrets and need no authentication. Stateless; any thread. */
final class Health {

    private Health() {}

    /** The answer of an endpoint that takes no events. */
    static Answer answer(RequestPath.Kind kind, Service service) {
        Cause unready = service.admission().unready();
        return switch (kind) {
            case ROOT -> Answer.json(Answer.OK, service.identity().json(unready == null));
            case READY -> unready == null ? Answer.json(Answer.OK, "{\"ready\":true}") : notReady(unready);
            case LIVE -> Answer.json(Answer.OK, "{\"live\":true}");
            case RECORDS, EVENTS -> throw new IllegalArgumentException("takes events");
        };
    }

    private static Answer notReady(Cause cause) {
        return Answer.json(
                cause.status(),
                "{\"ready\":false,\"reason\":\"" + cause.label() + "\",\"error_code\":" + cause.errorCode() + "}");
    }
}
