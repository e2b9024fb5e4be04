package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpConfig;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Listens, and runs the event loops of a task. Opened and closed by the reader. {@link #stopping} and {@link #abandon}
 * may be called by any thread and do not wait, so that a reader that hangs does not keep the port.
 */
final class HttpServer {

    private static final Logger log = LoggerFactory.getLogger(HttpServer.class);

    private static final int BACKLOG = 1_024;
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_NETWORK_BYTES = 8;

    /** The limits of a task. */
    static final StopLimits STOP_LIMITS = new StopLimits(TimeUnit.SECONDS.toNanos(1), FLUSH_NANOS);

    private final Service service;
    private final TlsContext tls;
    private final Heads heads;
    private final FailureLog failures = new FailureLog();
    private final EventLoopGroup loops;
    private final Map<EventExecutor, LoopConnections> connections = new IdentityHashMap<>();
    private final Map<InetAddress, Integer> perAddress = new ConcurrentHashMap<>();
    private final StopLimits stopLimits;
    private final Channel listener;

    /**
     * How long {@link HttpServer#close} waits at most, in nanoseconds.
     *
     * @param settleNanos for the requests that Connect has
     * @param flushNanos for the event loops, and for clients that read their answers; each of these waits
     */
    record StopLimits(long settleNanos, long flushNanos) {}

    private HttpServer(Service service, TlsContext tls, StopLimits stopLimits) {
        this.service = service;
        this.tls = tls;
        this.stopLimits = stopLimits;
        this.heads = new Heads(service);
        this.loops = new MultiThreadIoEventLoopGroup(
                service.config().threads(), threads(service.identity().text()), NioIoHandler.newFactory());
        boolean isListening = false;
        try {
            this.listener = listen();
            loops.forEach(this::startClock);
            isListening = true;
        } finally {
            if (!isListening) {
                shutDown();
            }
        }
    }

    /**
     * Opens the task's port. Throws ConnectException if that is not possible. Its cause is a BindException if another
     * process has the port, perhaps a predecessor for a moment.
     *
     * @param tls null for plain HTTP
     */
    static HttpServer open(Service service, TlsContext tls) {
        return open(service, tls, STOP_LIMITS);
    }

    /** The same, with other limits for its end. */
    static HttpServer open(Service service, TlsContext tls, StopLimits stopLimits) {
        return new HttpServer(service, tls, stopLimits);
    }

    private static ThreadFactory threads(String prefix) {
        Map<String, String> logContext = MDC.getCopyOfContextMap();
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new FastThreadLocalThread(
                    () -> {
                        if (logContext != null) {
                            MDC.setContextMap(logContext);
                        }
                        work.run();
                    },
                    prefix + "-http-" + count.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    private Channel listen() {
        HttpConfig config = service.config();
        int shift =
                config.portPerTask() && config.port() > 0 ? service.identity().task() : 0;
        InetSocketAddress address = new InetSocketAddress(config.host(), config.port() + shift);
        boolean isShared = !config.portPerTask() && config.port() > 0;
        loops.forEach(loop -> connections.put(loop, new LoopConnections()));
        ServerBootstrap server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, new HeapAllocator(config.threads()))
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        accept(accepted);
                    }
                });
        return isShared ? bindShared(server, address) : bind(server, address);
    }

    private Channel bindShared(ServerBootstrap server, InetSocketAddress address) {
        ServerBootstrap sharing = server.option(NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT), true);
        WorkerPorts.take(address, service.identity().connector());
        boolean isBound = false;
        try {
            Channel bound = bind(sharing, address);
            isBound = true;
            Future<?> ignored = bound.closeFuture().addListener(closed -> WorkerPorts.giveBack(address));
            return bound;
        } finally {
            if (!isBound) {
                WorkerPorts.giveBack(address);
            }
        }
    }

    private static Channel bind(ServerBootstrap server, InetSocketAddress address) {
        ChannelFuture bound = server.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new ConnectException(
                    "Cannot listen on " + address.getHostString() + ":" + address.getPort(), bound.cause());
        }
        return bound.channel();
    }

    private void startClock(EventExecutor loop) {
        boolean isFirst = loop.equals(loops.iterator().next());
        LoopConnections own = connections.get(loop);
        Future<?> ignored = loop.scheduleWithFixedDelay(
                guarded(() -> own.sweep(service.nowNanos())),
                LoopConnections.SWEEP_NANOS,
                LoopConnections.SWEEP_NANOS,
                TimeUnit.NANOSECONDS);
        if (isFirst) {
            ignored = loop.scheduleAtFixedRate(
                    guarded(() -> {
                        service.figures().tick();
                        service.admission().tick();
                    }),
                    1,
                    1,
                    TimeUnit.SECONDS);
        }
    }

    /** An event loop runs periodic work no more once it has failed, and without it nothing would ever time out. */
    private Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable t) {
                // Errors too: memory may be there again at the next time.
                if (failures.tryAcquire(t, System.nanoTime())) {
                    log.warn("The timeouts of the HTTP server were not checked once", t);
                }
            }
        };
    }

    /** A client has connected. Its event loop. */
    private void accept(SocketChannel channel) {
        InetAddress address = channel.remoteAddress() == null
                ? InetAddress.getLoopbackAddress()
                : counted(channel.remoteAddress().getAddress());
        int ofAddress = perAddress.merge(address, 1, Integer::sum);
        int limit = service.config().limits().connectionsPerAddress();
        // It does not take the place of another address.
        boolean isOneTooMany = ofAddress > limit;
        AtomicInteger counted = service.figures().connections();
        int open = isOneTooMany ? 0 : counted.incrementAndGet();
        Future<?> ignored = channel.closeFuture().addListener(closed -> {
            int left = isOneTooMany ? counted.get() : counted.decrementAndGet();
            Integer others = perAddress.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
            log.trace("A connection is closed; {} are open, {} of this address", left, others);
        });
        if (service.admission().isStopping()) {
            ignored = channel.close();
            return;
        }
        if (open > service.config().limits().connections()) {
            close(channel, ConnectionLimit.TASK);
            return;
        }
        if (ofAddress - limit > limit) {
            close(channel, ConnectionLimit.ADDRESS);
            return;
        }
        if (tls != null) {
            channel.pipeline().addLast(new SslHandler(tls.newEngine()));
        }
        LoopConnections siblings = connections.get(channel.eventLoop());
        StrictDecoder decoder = new StrictDecoder(service.config().limits().headerBytes());
        channel.pipeline()
                .addLast(
                        decoder,
                        new HttpResponseEncoder(),
                        new Connection(service, heads, siblings, failures, decoder, isOneTooMany));
    }

    private void close(SocketChannel channel, ConnectionLimit exceeded) {
        service.figures().closed(exceeded);
        failures.log(exceeded);
        Future<?> ignored = channel.close();
    }

    /** The address whose connections are counted: of IPv6 the first 64 bits, because a host has all their addresses. */
    static InetAddress counted(InetAddress address) {
        try {
            // IPv4 within IPv6 becomes IPv4 here.
            byte[] bytes = InetAddress.getByAddress(address.getAddress()).getAddress();
            if (bytes.length > IPV4_BYTES) {
                Arrays.fill(bytes, IPV6_NETWORK_BYTES, bytes.length, (byte) 0);
            }
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    /** The port on which it listens. */
    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Accepts no more connections, and refuses what the reader has not taken. Any thread; does not wait. */
    void stopping() {
        service.admission().stop();
        Future<?> ignored = listener.close();
        onEachLoop(own -> own.each(Connection::stopping));
    }

    /** Ends everything without waiting. Of what the task has, it is unknown what becomes of it. Any thread. */
    void abandon() {
        stopping();
        onEachLoop(own -> own.end(own.pending(), Cause.FAILED));
        try {
            // A loop that shuts down closes its connections first, and answers would be lost.
            Future<?> ignored = loops.schedule(this::shutDown, FLUSH_NANOS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("The server is closed already", e);
        }
    }

    /**
     * Answers everybody and closes. Reader thread.
     *
     * @param isOrderly whether the task thread has stopped polling, so that a request that has not left never will
     */
    void close(boolean isOrderly) {
        stopping();
        List<PendingRequest> left = pending();
        if (isOrderly) {
            end(left.stream().filter(request -> !request.hasLeft()).toList(), Cause.STOPPING);
            waitFor(() -> left.stream().allMatch(PendingRequest::isAnswered), stopLimits.settleNanos());
        }
        end(left, Cause.FAILED);
        waitFor(() -> service.figures().connections().get() == 0, stopLimits.flushNanos());
        shutDown();
        waitFor(loops::isTerminated, stopLimits.flushNanos());
    }

    private List<PendingRequest> pending() {
        List<PendingRequest> pending = new CopyOnWriteArrayList<>();
        AtomicInteger asked = new AtomicInteger(connections.size());
        onEachLoop(own -> {
            boolean ignored = pending.addAll(own.pending());
            int left = asked.decrementAndGet();
            log.trace("{} event loops have not told their requests", left);
        });
        waitFor(() -> asked.get() == 0, stopLimits.flushNanos());
        return pending;
    }

    private void end(List<PendingRequest> requests, Cause cause) {
        onEachLoop(own -> own.end(requests, cause));
    }

    private void onEachLoop(Consumer<LoopConnections> action) {
        connections.forEach((loop, own) -> {
            try {
                loop.execute(() -> action.accept(own));
            } catch (RejectedExecutionException e) {
                log.debug("An event loop has ended", e);
            }
        });
    }

    private static void waitFor(BooleanSupplier condition, long nanos) {
        long deadlineNanos = System.nanoTime() + nanos;
        while (!condition.getAsBoolean() && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void shutDown() {
        Future<?> ignored = loops.shutdownGracefully(0, FLUSH_NANOS, TimeUnit.NANOSECONDS);
    }
}
