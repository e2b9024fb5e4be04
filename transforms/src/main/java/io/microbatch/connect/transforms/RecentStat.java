package io.microbatch.connect.transforms;

/** Average and maximum of the values of the last one to two periods. One thread at a time. */
final class RecentStat {

    private final long periodNanos;
    private long periodStartNanos;
    private long count;
    private double sum;
    private double max = Double.NEGATIVE_INFINITY;
    private long lastCount;
    private double lastSum;
    private double lastMax = Double.NEGATIVE_INFINITY;

    RecentStat(long periodNanos, long nowNanos) {
        this.periodNanos = periodNanos;
        this.periodStartNanos = nowNanos;
    }

    void add(long nowNanos, double value) {
        turn(nowNanos);
        count++;
        sum += value;
        max = Math.max(max, value);
    }

    /** The average, or NaN if there was no value. */
    double average(long nowNanos) {
        turn(nowNanos);
        return (sum + lastSum) / (count + lastCount);
    }

    /** The maximum over the same time as the average, or NaN. */
    double max(long nowNanos) {
        turn(nowNanos);
        return count + lastCount == 0 ? Double.NaN : Math.max(max, lastMax);
    }

    private void turn(long nowNanos) {
        long elapsedNanos = nowNanos - periodStartNanos;
        if (elapsedNanos < periodNanos) {
            return;
        }
        boolean recent = elapsedNanos < 2 * periodNanos;
        lastCount = recent ? count : 0;
        lastSum = recent ? sum : 0;
        lastMax = recent ? max : Double.NEGATIVE_INFINITY;
        count = 0;
        sum = 0;
        max = Double.NEGATIVE_INFINITY;
        periodStartNanos = nowNanos;
    }
}
