package io.microbatch.connect.upstream.http;

import java.util.Locale;

/** How long a client waits for its answer, as its request says. Stateless; any thread. */
final class RequestTimeout {

    private static final String OWN = "x-request-timeout-ms";
    private static final String ENVOY = "x-envoy-expected-rq-timeout-ms";
    private static final String PREFER = "prefer";
    private static final String WAIT = "wait=";

    private RequestTimeout() {}

    /**
     * The timeout in milliseconds, at most {@code maxMs}, which is also that of a request without one.
     *
     * @throws Refusal 400 if it is not a number above 0
     */
    static long ms(RequestHeaders headers, int maxMs) throws Refusal {
        String own = headers.get(OWN);
        if (own != null) {
            return number(OWN, own, 1, maxMs);
        }
        String envoy = headers.get(ENVOY);
        if (envoy != null) {
            return number(ENVOY, envoy, 1, maxMs);
        }
        String prefer = headers.get(PREFER);
        if (prefer != null) {
            for (String preference : prefer.split(",", -1)) {
                String text = preference.strip().toLowerCase(Locale.ROOT);
                if (text.startsWith(WAIT)) {
                    return number("prefer: wait", text.substring(WAIT.length()).replace("\"", ""), 1_000, maxMs);
                }
            }
        }
        return maxMs;
    }

    private static long number(String name, String text, long unitMs, int maxMs) throws Refusal {
        try {
            long number = Long.parseLong(text.strip());
            if (number > 0) {
                return Math.min(maxMs, Math.min(number, maxMs) * unitMs);
            }
        } catch (NumberFormatException e) {
            // Answered below, as a number that is out of range.
        }
        throw Refusal.malformed("The header " + name + " must be a whole number above 0.");
    }
}
