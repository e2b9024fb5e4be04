package io.microbatch.connect.upstream.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.security.auth.x500.X500Principal;

/** Checks the heads of requests, before a byte of a body is read. Immutable; any thread. */
final class Heads {

    private static final List<String> ACCEPTED = List.of(
            "*/*", "application/*", "application/json", "application/vnd.kafka+json", "application/vnd.kafka.v2+json");

    private final Service service;

    /** A checked head: a request for events, or an answer. */
    record Checked(Ask ask, Answer answer) {}

    Heads(Service service) {
        this.service = service;
    }

    /**
     * The answer to a head that cannot be decoded.
     *
     * @param cause what the decoder says
     */
    Answer malformed(Throwable cause) {
        service.figures().refusedToClient();
        if (cause instanceof TooLongHttpLineException) {
            return Answer.of(new Refusal(414, Refusal.TOO_LARGE, "The request line is too long."))
                    .closing();
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Answer.of(new Refusal(
                            431,
                            Refusal.TOO_LARGE,
                            "The header fields are too large, or more than " + StrictDecoder.MAX_FIELDS + "."))
                    .closing();
        }
        return Answer.of(Refusal.malformed("The request is not well-formed HTTP."))
                .closing();
    }

    /**
     * What a request asks for, or the answer to it.
     *
     * @param tls the connection's TLS, or null
     */
    Checked check(HttpRequest request, SslHandler tls) {
        try {
            checkFraming(request);
        } catch (Refusal refusal) {
            // Nobody knows where the next request begins.
            service.figures().refusedToClient();
            return new Checked(null, Answer.of(refusal).closing());
        }
        try {
            Ask ask = read(request, certificate(tls));
            return ask.takesEvents()
                    ? new Checked(ask, null)
                    : new Checked(null, Health.answer(ask.path().kind(), service));
        } catch (Refusal refusal) {
            service.figures().refusedToClient();
            Answer answer = Answer.of(refusal);
            String challenge = service.access().challenge();
            if (refusal.status() == 401 && challenge != null) {
                answer = answer.with("WWW-Authenticate", challenge);
            } else if (refusal.status() == 405) {
                answer = answer.with("Allow", allowed(request));
            }
            return new Checked(null, answer);
        }
    }

    private static X500Principal certificate(SslHandler tls) {
        if (tls == null) {
            return null;
        }
        try {
            return tls.engine().getSession().getPeerPrincipal() instanceof X500Principal subject ? subject : null;
        } catch (SSLPeerUnverifiedException e) {
            // The client has shown none, which Access judges.
            return null;
        }
    }

    /**
     * What a request asks for.
     *
     * @param certificate the subject of the client's verified certificate, or null
     * @throws Refusal if the request is not served, whatever its body is
     */
    private Ask read(HttpRequest request, X500Principal certificate) throws Refusal {
        HttpHeaders fields = request.headers();
        RequestPath path = RequestPath.parse(request.uri());
        checkMethod(path, request.method());
        long length = HttpUtil.getContentLength(request, -1L);
        if (!path.kind().method().equals(HttpMethod.POST.name())) {
            return new Ask(path, null, 0, length, null);
        }
        RequestHeaders headers = new Fields(fields);
        String principal = service.access().authenticate(headers.get("authorization"), certificate);
        Access.Topic topic = service.access().topic(principal, path.topic());
        checkAccept(headers.get("accept"));
        RequestHead head = new RequestHead(path, topic, headers.get("content-type"), headers);
        service.bodies().checkHead(head);
        int limit = service.config().limits().requestBytes();
        if (length > limit) {
            throw Refusal.tooLarge("The body has more than " + limit + " bytes.");
        }
        long timeoutMs = RequestTimeout.ms(headers, service.config().requestTimeoutMs());
        return new Ask(path, head, timeoutMs, length, repeat(fields, principal));
    }

    private Ask.Repeat repeat(HttpHeaders fields, String principal) throws Refusal {
        if (service.config().idempotencyKeys() == 0) {
            return null;
        }
        List<String> keys = fields.getAll("idempotency-key");
        if (keys.size() > 1) {
            throw Refusal.malformed("A request has one header Idempotency-Key.");
        }
        if (keys.isEmpty() && service.config().idempotencyRequired()) {
            throw Refusal.malformed("The header Idempotency-Key is required.");
        }
        return keys.isEmpty()
                ? null
                : new Ask.Repeat(principal, RequestKey.checked(keys.get(0).strip()));
    }

    private static void checkFraming(HttpRequest request) throws Refusal {
        HttpHeaders fields = request.headers();
        if (request.protocolVersion().majorVersion() != 1) {
            throw Refusal.malformed("Only HTTP/1.1 and HTTP/1.0 are spoken.");
        }
        boolean older = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (older && fields.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
            throw Refusal.malformed("HTTP/1.0 has no Transfer-Encoding.");
        }
        List<String> encodings = fields.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (encodings.size() > 1
                || (encodings.size() == 1 && !encodings.get(0).strip().equalsIgnoreCase("chunked"))) {
            throw Refusal.malformed("The only Transfer-Encoding is chunked, once.");
        }
        int hosts = fields.getAll(HttpHeaderNames.HOST).size();
        if (hosts > 1 || (hosts == 0 && !older)) {
            throw Refusal.malformed("A request has one header Host.");
        }
        // A server has to ignore the expectations of HTTP/1.0 (RFC 9110, section 10.1.1).
        if (!older && fields.contains(HttpHeaderNames.EXPECT) && !HttpUtil.is100ContinueExpected(request)) {
            throw new Refusal(417, 417, "The only expectation is 100-continue.");
        }
    }

    private static void checkMethod(RequestPath path, HttpMethod method) throws Refusal {
        boolean reads = path.kind().method().equals(HttpMethod.GET.name()) && method.equals(HttpMethod.HEAD);
        if (!reads && !path.kind().method().equals(method.name())) {
            throw new Refusal(
                    405, 405, "The method of this path is " + path.kind().method() + ".");
        }
    }

    /** The methods of a request's path. Empty for an unknown path. */
    private static String allowed(HttpRequest request) {
        try {
            String method = RequestPath.parse(request.uri()).kind().method();
            return method.equals(HttpMethod.GET.name()) ? "GET, HEAD" : method;
        } catch (Refusal e) {
            return "";
        }
    }

    private static void checkAccept(String accept) throws Refusal {
        if (accept == null) {
            return;
        }
        for (String range : accept.split(",", -1)) {
            String type = range.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
            if (ACCEPTED.contains(type)) {
                return;
            }
        }
        throw new Refusal(406, 406, "Answers are of application/vnd.kafka.v2+json.");
    }

    /** The fields of a head, for the parsers. */
    private record Fields(HttpHeaders headers) implements RequestHeaders {

        @Override
        public String get(String lowerCaseName) {
            String value = headers.get(lowerCaseName);
            return value == null ? null : value.strip();
        }

        @Override
        public void forEach(BiConsumer<String, String> header) {
            for (Map.Entry<String, String> field : headers) {
                header.accept(
                        field.getKey().toLowerCase(Locale.ROOT),
                        field.getValue().strip());
            }
        }
    }
}
