package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.KeptPart;
import io.microbatch.connect.upstream.hosted.debezium.Debezium;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.connect.source.SourceTask;

/** Derives from a task's class how the task uses acknowledgements. Stateless; any thread. */
final class HostedHabits {

    /** Tasks whose commit sends other data and acknowledges nothing. */
    private static final Set<String> COMMIT_IS_NO_ACKNOWLEDGEMENT = Set.of(
            "org.apache.kafka.connect.mirror.MirrorSourceTask",
            "org.apache.kafka.connect.mirror.MirrorCheckpointTask",
            "org.apache.kafka.connect.mirror.MirrorHeartbeatTask");

    private static final long POSTGRES_COMMIT_SPACING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private HostedHabits() {}

    /** The traits of a task. Debezium acknowledges what Connect has stored, and waits for nothing. */
    static Set<TaskTrait> traits(Class<?> taskClass, boolean definesTransactions) {
        Set<TaskTrait> traits = EnumSet.noneOf(TaskTrait.class);
        if (!Debezium.isTask(taskClass) && acknowledgesOnCommit(taskClass)) {
            traits.add(TaskTrait.ACKNOWLEDGES_ON_COMMIT);
        }
        if (!Debezium.isTask(taskClass) && waitsForNotification(taskClass)) {
            traits.add(TaskTrait.WAITS_FOR_NOTIFICATION);
        }
        if (definesTransactions) {
            traits.add(TaskTrait.DEFINES_TRANSACTIONS);
        }
        return traits;
    }

    private static boolean acknowledgesOnCommit(Class<?> taskClass) {
        return !COMMIT_IS_NO_ACKNOWLEDGEMENT.contains(taskClass.getName()) && overrides(taskClass, "commit");
    }

    private static boolean waitsForNotification(Class<?> taskClass) {
        return wantsRecords(taskClass) || overrides(taskClass, "commit");
    }

    /** Whether the task implements {@code commitRecord} and so needs its own records. */
    static boolean wantsRecords(Class<?> taskClass) {
        return overrides(taskClass, "commitRecord");
    }

    /**
     * Whether a task of Debezium needs the last offset of each source partition only. Its base class does. A task that
     * implements {@code commitRecord} below that class may count records, as Spanner's does.
     */
    static boolean lastOffsetWins(Class<?> taskClass) {
        return Debezium.isTask(taskClass) && !overrides(taskClass, "commitRecord", Debezium::isBaseTask);
    }

    /**
     * The minimum time between two commits that a task gets, in nanoseconds. At a commit Debezium's task for PostgreSQL
     * asks for the stored offset, and the worker reads its topic of offsets to the end. The database keeps its log for
     * this time longer.
     */
    static long commitSpacingNanos(Class<?> taskClass) {
        return Debezium.isPostgresTask(taskClass) ? POSTGRES_COMMIT_SPACING_NANOS : 0;
    }

    /** The part of a settled event that the task's notification needs. */
    static KeptPart keptPart(Class<?> taskClass) {
        boolean looksAtRecords =
                wantsRecords(taskClass) && !lastOffsetWins(taskClass) && !Debezium.isPostgresTask(taskClass);
        return looksAtRecords ? KeptPart.ORIGIN : KeptPart.PLACE;
    }

    private static boolean overrides(Class<?> taskClass, String method) {
        return overrides(taskClass, method, c -> c == SourceTask.class);
    }

    /** Compares names, because an older interface had the same methods with other parameters. */
    private static boolean overrides(Class<?> taskClass, String method, Predicate<Class<?>> isBase) {
        for (Class<?> c = taskClass; c != null && !isBase.test(c); c = c.getSuperclass()) {
            try {
                for (Method declared : c.getDeclaredMethods()) {
                    if (declared.getName().equals(method)) {
                        return true;
                    }
                }
            } catch (LinkageError e) {
                // A class whose methods cannot be read may have this one.
                return true;
            }
        }
        return false;
    }
}
