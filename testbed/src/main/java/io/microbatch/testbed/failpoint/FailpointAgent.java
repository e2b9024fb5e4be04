package io.microbatch.testbed.failpoint;

import static net.bytebuddy.matcher.ElementMatchers.isBridge;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.DynamicType;

/** The Java agent that weaves failpoints into a worker's JVM. Its argument is the control directory. */
public final class FailpointAgent {

    private FailpointAgent() {}

    /** Called by the JVM before the worker's main. */
    public static void premain(String controlDirectory, Instrumentation instrumentation) {
        AgentBuilder agent = new AgentBuilder.Default()
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly());
        Collection<List<Failpoint>> byClass = Arrays.stream(Failpoint.values())
                .collect(Collectors.groupingBy(Failpoint::className))
                .values();
        for (List<Failpoint> points : byClass) {
            agent = agent.type(named(points.get(0).className()))
                    .transform((builder, type, loader, module, domain) -> woven(builder, points));
        }
        Object ignored = agent.installOn(instrumentation);
        Failpoints.follow(Path.of(controlDirectory));
    }

    private static DynamicType.Builder<?> woven(DynamicType.Builder<?> builder, List<Failpoint> points) {
        DynamicType.Builder<?> result = builder;
        for (Failpoint point : points) {
            Advice advice = Advice.withCustomMapping()
                    .bind(PointId.class, point.ordinal())
                    .to(advice(point));
            result = result.visit(advice.on(named(point.methodName()).and(not(isBridge()))));
        }
        return result;
    }

    private static Class<?> advice(Failpoint point) {
        if (point == Failpoint.BEFORE_POLL_RETURNS || point == Failpoint.POLL_RETURNS) {
            return BatchAdvice.class;
        }
        if (point == Failpoint.NO_BATCH_IN_PROGRESS) {
            return IdleProducerAdvice.class;
        }
        return point.side() == Failpoint.Side.ENTRY ? EntryAdvice.class : ExitAdvice.class;
    }
}
