package io.microbatch.connect.upstream.http;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a client, with one request at a time: it reads nothing while a request waits for its answer. So the
 * server knows when no more requests can come. All methods are called by the connection's event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {

    private static final Logger log = LoggerFactory.getLogger(Connection.class);

    /** A client that gets an answer while it still sends may send so many bytes more. */
    private static final long MAX_UNREAD_BYTES = 65_536;

    /** The same after the answer: what is on its way then may be as much as the socket's buffers hold. */
    private static final long MAX_LINGER_BYTES = 8 << 20;

    /** How long a connection is read after its last answer, so that the client gets that. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Service service;
    private final Heads heads;
    private final LoopConnections siblings;

    /** Whether this client has too many connections, so that its first request is refused. */
    private final boolean isOneTooMany;

    private final FailureLog failures;
    private final StrictDecoder decoder;
    private final Activity activity;
    private final Parts received;
    private ChannelHandlerContext context;
    private Exchange exchange;
    private ConnectionState state = ConnectionState.HEAD;

    /** When the present state ends at the latest, unless a request waits. */
    private long untilNanos;

    /** Whether a part of a head has arrived. */
    private boolean headBegun;

    // Of the present request.
    private long headNanos;
    private boolean keepsAlive;
    private boolean isHeadOnly;
    private boolean isComplete;
    private Ask ask;
    private Answer early;
    private BodyBuffer body;
    private long skippedBytes;

    Connection(
            Service service,
            Heads heads,
            LoopConnections siblings,
            FailureLog failures,
            StrictDecoder decoder,
            boolean isOneTooMany) {
        this.service = service;
        this.heads = heads;
        this.siblings = siblings;
        this.failures = failures;
        this.decoder = decoder;
        this.isOneTooMany = isOneTooMany;
        this.activity = new Activity(service.admission());
        this.received = new Parts(() -> state.reads(), this::take);
    }

    // Netty's calls

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        exchange = new Exchange(service, added.executor(), this::finished);
    }

    @Override
    public void channelActive(ChannelHandlerContext from) {
        siblings.add(this);
        untilNanos = service.nowNanos() + patience(service.config().limits().headerTimeoutMs());
        read();
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (state == ConnectionState.CLOSED || !(message instanceof HttpObject part)) {
            ReferenceCountUtil.release(message);
            return;
        }
        boolean isKept = received.add(part);
        keepsAlive &= isKept;
        isComplete &= isKept;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        if (decoder.hasPart() && state == ConnectionState.HEAD && !headBegun) {
            headBegun = true;
            untilNanos = service.nowNanos() + patience(service.config().limits().headerTimeoutMs());
        }
        read();
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        state = ConnectionState.CLOSED;
        received.release();
        exchange.release();
        if (!exchange.isUnderWay()) {
            siblings.remove(this, activity);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        if (cause instanceof IOException) {
            log.debug("A client's connection failed", cause);
        } else if (cause.getCause() instanceof SSLException) {
            service.figures().refusedToClient();
            log.debug("A client does not speak TLS as this server does", cause);
        } else {
            failures.log(cause);
        }
        close();
    }

    // Reading

    private void read() {
        if (state.reads() && received.isEmpty()) {
            context.read();
        }
    }

    private void take(HttpObject part) {
        if (part.decoderResult().isFailure()) {
            malformed(part.decoderResult().cause());
        } else if (part instanceof HttpRequest request && state == ConnectionState.HEAD) {
            begin(request);
        }
        if (part instanceof HttpContent content) {
            takeContent(content);
        }
    }

    private void malformed(Throwable cause) {
        if (state != ConnectionState.HEAD && state != ConnectionState.BODY && state != ConnectionState.SKIP) {
            return;
        }
        if (state == ConnectionState.HEAD) {
            startRequest();
        }
        send(heads.malformed(cause));
    }

    private void begin(HttpRequest request) {
        startRequest();
        keepsAlive = HttpUtil.isKeepAlive(request);
        isHeadOnly = request.method().equals(HttpMethod.HEAD);
        boolean expects = HttpUtil.is100ContinueExpected(request);
        early = check(request);
        if (early == null) {
            state = ConnectionState.BODY;
            body = new BodyBuffer();
            if (expects) {
                Future<?> ignored = context.writeAndFlush(Responses.proceed());
            }
            return;
        }
        state = ConnectionState.SKIP;
        if (expects || HttpUtil.getContentLength(request, 0L) > MAX_UNREAD_BYTES) {
            send(early.closing());
        }
    }

    private void startRequest() {
        headNanos = service.nowNanos();
        untilNanos = headNanos + patience(service.config().limits().bodyTimeoutMs());
        headBegun = false;
        isComplete = false;
        isHeadOnly = false;
        skippedBytes = 0;
    }

    /** The answer if it does not depend on the body. Null for events, which are to be read. */
    private Answer check(HttpRequest request) {
        Heads.Checked checked = heads.check(request, tls());
        if (checked.answer() != null) {
            // Those who look after the health of the task get their answer.
            return isOneTooMany ? checked.answer().closing() : checked.answer();
        }
        if (isOneTooMany) {
            return exchange.refused(Cause.CONNECTIONS).closing();
        }
        ask = checked.ask();
        activity.begins(headNanos);
        Cause cause = service.admission()
                .refusal(TimeUnit.MILLISECONDS.toNanos(ask.timeoutMs()), Math.max(0, ask.lengthBytes()));
        return cause == null ? null : exchange.refused(cause);
    }

    private SslHandler tls() {
        return context.pipeline().get(SslHandler.class);
    }

    private void takeContent(HttpContent content) {
        int size = content.content().readableBytes();
        if (state == ConnectionState.BODY) {
            takeBody(content, size);
        } else if (state == ConnectionState.SKIP || state == ConnectionState.LINGERING) {
            skippedBytes += size;
        }
        boolean isLast = content instanceof LastHttpContent;
        isComplete |= isLast;
        if (state == ConnectionState.BODY && isLast) {
            complete();
        } else if (state == ConnectionState.SKIP && (isLast || skippedBytes > MAX_UNREAD_BYTES)) {
            send(isLast ? early : early.closing());
        } else if (state == ConnectionState.LINGERING && skippedBytes > MAX_LINGER_BYTES) {
            close();
        }
    }

    private void takeBody(HttpContent content, int size) {
        int limit = service.config().limits().requestBytes();
        if (body.size() + size > limit) {
            service.figures().refusedToClient();
            giveUp(Answer.of(Refusal.tooLarge("The body has more than " + limit + " bytes.")));
        } else if (!exchange.reserve(size)) {
            giveUp(exchange.refused(Cause.FULL));
        } else {
            body.add(content.content());
        }
    }

    /** The rest of the body is not needed. */
    private void giveUp(Answer answer) {
        early = answer;
        state = ConnectionState.SKIP;
        body = null;
        ask = null;
        exchange.release();
    }

    private void complete() {
        Ask asked = ask;
        BodyBuffer sent = body;
        // A request may wait long, and the head is not needed any more.
        ask = null;
        body = null;
        activity.begins(service.nowNanos());
        Answer refusal = exchange.start(asked, sent);
        if (refusal == null) {
            state = ConnectionState.WAITING;
        } else {
            send(refusal);
        }
    }

    /** The answer of a request that was on its way. */
    private void finished(Answer answer) {
        if (state == ConnectionState.WAITING) {
            send(answer);
        } else {
            activity.ends(service.nowNanos());
            siblings.remove(this, activity);
        }
    }

    // Answering

    private void send(Answer answer) {
        long nowNanos = service.nowNanos();
        boolean closes = answer.closes() || !keepsAlive || service.admission().isStopping();
        service.figures().answered(answer.status());
        if (state == ConnectionState.WAITING && answer.status() == Answer.OK) {
            service.figures().written(nowNanos - headNanos);
        }
        body = null;
        ask = null;
        exchange.release();
        state = ConnectionState.ANSWERING;
        untilNanos = nowNanos + patience(service.config().limits().bodyTimeoutMs());
        ChannelFuture written = context.writeAndFlush(Responses.of(answer, closes, isHeadOnly));
        exchange.answering(written, answer);
        Future<?> ignored = written.addListener(end -> {
            if (end.isSuccess()) {
                answered(closes);
            } else {
                close();
            }
        });
    }

    private void answered(boolean closes) {
        if (state != ConnectionState.ANSWERING) {
            return;
        }
        long nowNanos = service.nowNanos();
        activity.ends(nowNanos);
        if (!closes && keepsAlive) {
            state = ConnectionState.HEAD;
            untilNanos = nowNanos + patience(service.config().limits().idleTimeoutMs());
            received.pass();
            read();
        } else if (isComplete || !(context.channel() instanceof DuplexChannel channel)) {
            close();
        } else {
            // A close with unread bytes would reset the connection, and the client might not see the answer.
            state = ConnectionState.LINGERING;
            skippedBytes = 0;
            untilNanos = nowNanos + LINGER_NANOS;
            Future<?> ignored = tls() == null ? channel.shutdownOutput() : channel.newSucceededFuture();
            received.pass();
            read();
        }
    }

    private void close() {
        Future<?> ignored = context.close();
    }

    // The event loop's calls

    /** Ends what takes too long. Called several times a second. */
    void sweep(long nowNanos) {
        boolean isOver = nowNanos - untilNanos >= 0;
        if (state != ConnectionState.WAITING && state != ConnectionState.CLOSED) {
            // Also while a body does not arrive, or an answer is not read: others do not wait for this client.
            boolean ignored = activity.endIfIdle(nowNanos);
        }
        switch (state) {
            case HEAD -> {
                if (isOver && headBegun) {
                    startRequest();
                    send(exchange.refused(Cause.SLOW));
                } else if (isOver) {
                    close();
                }
            }
            case BODY -> {
                if (isOver) {
                    send(exchange.refused(Cause.SLOW));
                }
            }
            case SKIP -> {
                if (isOver) {
                    send(early.closing());
                }
            }
            case WAITING, CLOSED -> exchange.watchDeadline(nowNanos);
            case ANSWERING, LINGERING -> {
                if (isOver) {
                    close();
                }
            }
        }
    }

    /** The task stops: what is not with the task is refused. */
    void stopping() {
        switch (state) {
            case HEAD -> close();
            case BODY, SKIP -> send(exchange.refused(Cause.STOPPING));
            case WAITING, CLOSED -> exchange.refuseQueued(Cause.STOPPING);
            case ANSWERING, LINGERING -> log.trace("Ends by itself");
        }
    }

    Exchange exchange() {
        return exchange;
    }

    /** A connection that is one too many takes room for a second at most, whatever the client may do. */
    private long patience(int ms) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(ms);
        return isOneTooMany ? Math.min(LINGER_NANOS, nanos) : nanos;
    }
}
