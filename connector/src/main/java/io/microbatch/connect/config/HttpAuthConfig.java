package io.microbatch.connect.config;

import java.util.List;
import org.apache.kafka.common.config.types.Password;

/**
 * Who may write which topic over HTTP. Immutable; any thread.
 *
 * @param secrets the principals and their secrets, empty without bearer or basic
 * @param grants the topics of principals, empty if every principal may write every listed topic
 * @param insecure whether it may listen on other addresses than loopback without TLS or authentication
 */
public record HttpAuthConfig(Method method, List<Secret> secrets, List<Grant> grants, boolean insecure) {

    /** How a client shows who it is. */
    public enum Method {
        NONE,
        BEARER,
        BASIC,
        MTLS
    }

    /** A principal's token or password. */
    public record Secret(String principal, Password secret) {}

    /** The topics of a principal: names, or beginnings of names that end in an asterisk. */
    public record Grant(String principal, List<String> topics) {}
}
