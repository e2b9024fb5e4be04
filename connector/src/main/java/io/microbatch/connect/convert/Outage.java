package io.microbatch.connect.convert;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.connect.errors.RetriableException;

/**
 * Recognises a converter's exception that gives no verdict on the event, because the service that the converter needs
 * (a schema registry) was not reached, did not work, or refused the client. Converters wrap such a failure in the same
 * exceptions as the refusal of an event, so the chain of causes decides. Stateless; any thread.
 *
 * <p>Not every {@code IOException} counts. Parsers throw it for content, and Confluent's serializers throw it for an
 * incompatible schema.
 */
final class Outage {

    /** Other chains are not that long. A chain may also contain itself. */
    private static final int MAX_CAUSES = 32;

    /** Failures of the network, of credentials and of the client's settings. */
    private static final List<Class<? extends Throwable>> TYPES = List.of(
            SocketException.class,
            UnknownHostException.class,
            InterruptedIOException.class,
            HttpTimeoutException.class,
            SSLException.class,
            ClosedChannelException.class,
            UnresolvedAddressException.class,
            TimeoutException.class,
            RetriableException.class,
            org.apache.kafka.common.errors.RetriableException.class,
            ConfigException.class,
            InvalidConfigurationException.class,
            AuthenticationException.class,
            AuthorizationException.class);

    /** Failures of the network in Apache's HTTP client, which is not a dependency. */
    private static final Set<String> NAMES = Set.of("NoHttpResponseException", "ConnectionClosedException");

    /** An answer of a registry, as the clients of several registries throw it. */
    private static final String ANSWER = "RestClientException";

    /** The end of the message of such an answer. The first three digits are the status of HTTP. */
    private static final Pattern CODE = Pattern.compile("error code: ([1-5]\\d\\d)(?:\\d\\d)?\\s*$");

    /** The statuses other than 5xx that judge no schema: credentials, a time-out, too many requests. */
    private static final Set<Integer> NO_VERDICT = Set.of(401, 403, 407, 408, 429);

    /** The statuses with which a registry, or a proxy before it, refuses a schema. */
    private static final Set<Integer> REFUSED_SCHEMA = Set.of(400, 409, 413, 422);

    private Outage() {}

    /** Whether the failure gives no verdict on the event. */
    static boolean caused(Throwable failure) {
        boolean outage = false;
        Throwable link = failure;
        for (int depth = 0; link != null && depth < MAX_CAUSES; depth++, link = link.getCause()) {
            int status = status(link);
            if (REFUSED_SCHEMA.contains(status)) {
                // Confluent's converters make a ConfigException of it, as of refused credentials.
                return false;
            }
            outage |= NO_VERDICT.contains(status) || status >= 500 || isOfAType(link);
        }
        return outage;
    }

    private static boolean isOfAType(Throwable link) {
        return NAMES.contains(link.getClass().getSimpleName())
                || TYPES.stream().anyMatch(type -> type.isInstance(link));
    }

    /** The status of a registry's answer. Zero if the exception is or has none. */
    private static int status(Throwable link) {
        boolean isAnswer = link.getClass().getSimpleName().equals(ANSWER);
        if (!isAnswer && !(link instanceof ConfigException) && !(link instanceof InvalidConfigurationException)) {
            return 0;
        }
        // The code is the registry's own, or says that the body is not a registry's. The status may be a proxy's.
        int ownStatus = isAnswer ? statusByReflection(link) : 0;
        if (REFUSED_SCHEMA.contains(ownStatus)) {
            return ownStatus;
        }
        Matcher code = CODE.matcher(String.valueOf(link.getMessage()));
        if (code.find()) {
            return Integer.parseInt(code.group(1));
        }
        return ownStatus;
    }

    private static int statusByReflection(Throwable answer) {
        try {
            return answer.getClass().getMethod("getStatus").invoke(answer) instanceof Integer status ? status : 0;
        } catch (ReflectiveOperationException e) {
            return 0;
        }
    }
}
