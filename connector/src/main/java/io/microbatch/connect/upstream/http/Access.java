package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpAuthConfig;
import io.microbatch.connect.config.HttpConfig;
import io.microbatch.connect.config.TopicName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;

/**
 * Who may write to which topic. Immutable; any thread.
 *
 * <p>Secrets are kept as SHA-256. All of them are compared with what the client sent, in constant time, so that the
 * time of an answer says nothing about them.
 */
final class Access {

    /** The principal of every client if there is no authentication. */
    static final String NOBODY = "";

    private static final String BEARER = "Bearer ";
    private static final String BASIC = "Basic ";

    private final HttpAuthConfig.Method method;
    private final List<Known> known = new ArrayList<>();
    private final Names<Topic> topics = new Names<>();

    /** The topics of each principal. Null if every principal may write every listed topic. */
    private final Map<String, Names<Boolean>> grants;

    /**
     * A topic that may be written.
     *
     * @param partitions how many partitions clients may choose from, 0 if they may not choose
     */
    record Topic(String name, int partitions) {}

    /** A principal and what a client that is this principal sends, as hashes. */
    private record Known(String principal, byte[] name, byte[] secret) {}

    Access(HttpConfig config) {
        HttpAuthConfig auth = config.auth();
        method = auth.method();
        for (HttpAuthConfig.Secret secret : auth.secrets()) {
            known.add(new Known(
                    secret.principal(),
                    sha256(bytes(secret.principal())),
                    sha256(bytes(secret.secret().value()))));
        }
        for (HttpConfig.Topic topic : config.topics()) {
            topics.put(topic.name(), topic.prefix(), new Topic(topic.name(), topic.partitions()));
        }
        grants = auth.grants().isEmpty() ? null : new HashMap<>();
        for (HttpAuthConfig.Grant grant : auth.grants()) {
            Names<Boolean> granted = grants.computeIfAbsent(grant.principal(), principal -> new Names<>());
            for (String topic : grant.topics()) {
                boolean prefix = topic.endsWith("*");
                granted.put(prefix ? topic.substring(0, topic.length() - 1) : topic, prefix, true);
            }
        }
    }

    /**
     * The principal of a request.
     *
     * @param authorization the header {@code Authorization}, or null
     * @param certificate the subject of the client's verified certificate, or null
     * @throws Refusal 401
     */
    String authenticate(String authorization, X500Principal certificate) throws Refusal {
        String principal = switch (method) {
            case NONE -> NOBODY;
            case BEARER -> bearer(authorization);
            case BASIC -> basic(authorization);
            case MTLS -> certificate == null ? null : HttpAuthConfig.principal(certificate);
        };
        if (principal == null) {
            throw new Refusal(401, Refusal.UNAUTHORIZED, "The request has no valid credentials.");
        }
        return principal;
    }

    /** The header {@code WWW-Authenticate} of a 401. Null if a certificate is expected, or nothing. */
    String challenge() {
        return switch (method) {
            case BEARER -> "Bearer";
            case BASIC -> "Basic realm=\"kafka\", charset=\"UTF-8\"";
            case NONE, MTLS -> null;
        };
    }

    /**
     * The topic if this principal may write it.
     *
     * @throws Refusal 404 if the name is not listed or not legal, 403 if the topic is not the principal's
     */
    Topic topic(String principal, String name) throws Refusal {
        Topic topic = TopicName.isLegal(name) ? topics.get(name) : null;
        if (topic == null) {
            throw Refusal.notFound("There is no such topic here.");
        }
        if (grants != null
                && (!grants.containsKey(principal) || grants.get(principal).get(name) == null)) {
            throw new Refusal(403, Refusal.FORBIDDEN, "These credentials do not allow this topic.");
        }
        return topic.name().equals(name) ? topic : new Topic(name, topic.partitions());
    }

    private String bearer(String authorization) {
        if (!hasScheme(authorization, BEARER)) {
            return null;
        }
        byte[] sent =
                sha256(bytesAsSent(authorization.substring(BEARER.length()).strip()));
        String principal = null;
        for (Known each : known) {
            if (MessageDigest.isEqual(sent, each.secret())) {
                principal = each.principal();
            }
        }
        return principal;
    }

    private String basic(String authorization) {
        if (!hasScheme(authorization, BASIC)) {
            return null;
        }
        byte[] sent;
        try {
            sent = Base64.getDecoder()
                    .decode(authorization.substring(BASIC.length()).strip());
        } catch (IllegalArgumentException e) {
            return null;
        }
        int colon = 0;
        while (colon < sent.length && sent[colon] != ':') {
            colon++;
        }
        byte[] name = sha256(Arrays.copyOf(sent, colon));
        byte[] secret = sha256(Arrays.copyOfRange(sent, Math.min(colon + 1, sent.length), sent.length));
        String principal = null;
        for (Known each : known) {
            // Both are compared for each, without a shortcut.
            if (MessageDigest.isEqual(name, each.name()) & MessageDigest.isEqual(secret, each.secret())) {
                principal = each.principal();
            }
        }
        return colon < sent.length ? principal : null;
    }

    private static boolean hasScheme(String authorization, String scheme) {
        return authorization != null && authorization.regionMatches(true, 0, scheme, 0, scheme.length());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytesAsSent(String header) {
        return header.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    /** Values at names and at beginnings of names. A name goes before a beginning, a longer beginning before others. */
    private static final class Names<V> {

        private final Map<String, V> exact = new HashMap<>();
        private final Map<String, V> prefixes = new HashMap<>();

        void put(String name, boolean prefix, V value) {
            (prefix ? prefixes : exact).put(name, value);
        }

        V get(String name) {
            V value = exact.get(name);
            for (int length = name.length(); value == null && !prefixes.isEmpty() && length >= 0; length--) {
                value = prefixes.get(name.substring(0, length));
            }
            return value;
        }
    }
}
