package io.microbatch.bench.report;

import java.util.ArrayList;
import java.util.List;

/** One axis of a chart: from where to where, and where its ticks are. Immutable. */
interface Axis {

    /** How far apart ticks of a linear axis may be at most, as parts of its length. */
    int LINEAR_TICKS = 4;

    /** The place of a value between two ends. */
    double place(double value, double low, double high);

    /** Values with a tick, in order. */
    List<Double> ticks();

    /** Whether a value has a place on this kind of axis. */
    enum Kind {
        /** Powers of ten. Only what is positive has a place. */
        LOGARITHMIC {
            @Override
            boolean has(double value) {
                return value > 0;
            }

            @Override
            Axis around(double... values) {
                return Logarithmic.around(values);
            }
        },
        /** From 0. */
        LINEAR {
            @Override
            boolean has(double value) {
                return value >= 0;
            }

            @Override
            Axis around(double... values) {
                return Linear.around(values);
            }
        };

        abstract boolean has(double value);

        /** An axis on which all of these have a place. */
        abstract Axis around(double... values);
    }

    /** From a power of ten to a power of ten. */
    record Logarithmic(int fromPower, int toPower) implements Axis {

        private static Axis around(double... values) {
            double least = Double.MAX_VALUE;
            double most = Double.MIN_VALUE;
            for (double value : values) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
            int from = values.length == 0 ? 0 : (int) Math.floor(Math.log10(least));
            int to = values.length == 0 ? 1 : (int) Math.ceil(Math.log10(most));
            return new Logarithmic(from, Math.max(from + 1, to));
        }

        @Override
        public double place(double value, double low, double high) {
            return low + (high - low) * (Math.log10(value) - fromPower) / (toPower - fromPower);
        }

        @Override
        public List<Double> ticks() {
            List<Double> ticks = new ArrayList<>();
            for (int power = fromPower; power <= toPower; power++) {
                ticks.add(Math.pow(10, power));
            }
            return ticks;
        }
    }

    /** From a step to a step of 1, 2, 5, 10, 20 and so on, as near to the values as that goes. */
    record Stepped(List<Double> steps) implements Axis {

        /** So many labels have room, however small the screen is. */
        private static final int MAX_TICKS = 7;

        private static final double[] FACTORS = {1, 2, 5};

        /** What is not positive has no place. */
        static Axis around(double... values) {
            double min = Double.MAX_VALUE;
            double max = 0;
            for (double value : values) {
                min = Math.min(min, value);
                max = Math.max(max, value);
            }
            if (max == 0) {
                return around(1);
            }
            List<Double> steps = new ArrayList<>();
            for (int power = (int) Math.floor(Math.log10(min)); steps.isEmpty() || last(steps) <= max; power++) {
                for (double factor : FACTORS) {
                    double step = factor * Math.pow(10, power);
                    if (steps.size() == 1 && step <= min) {
                        steps.clear();
                    }
                    if (steps.isEmpty() || last(steps) <= max) {
                        steps.add(step);
                    }
                }
            }
            return new Stepped(List.copyOf(steps));
        }

        private static double last(List<Double> steps) {
            return steps.get(steps.size() - 1);
        }

        @Override
        public double place(double value, double low, double high) {
            double from = Math.log10(steps.get(0));
            return low + (high - low) * (Math.log10(value) - from) / (Math.log10(last(steps)) - from);
        }

        @Override
        public List<Double> ticks() {
            return steps.size() <= MAX_TICKS
                    ? steps
                    : steps.stream().filter(Stepped::isPowerOfTen).toList();
        }

        private static boolean isPowerOfTen(double step) {
            double power = Math.log10(step);
            return Math.abs(power - Math.rint(power)) < 1e-9;
        }
    }

    /** From 0 to a multiple of the distance between ticks. */
    record Linear(double step, int steps) implements Axis {

        private static Axis around(double... values) {
            double most = 0;
            for (double value : values) {
                most = Math.max(most, value);
            }
            double wanted = most > 0 ? most / LINEAR_TICKS : 1;
            double power = Math.pow(10, Math.floor(Math.log10(wanted)));
            double step = power;
            for (int factor : List.of(2, 5, 10)) {
                step = step < wanted ? factor * power : step;
            }
            return new Linear(step, (int) Math.max(1, Math.ceil(most / step - 1e-9)));
        }

        @Override
        public double place(double value, double low, double high) {
            return low + (high - low) * value / (step * steps);
        }

        @Override
        public List<Double> ticks() {
            List<Double> ticks = new ArrayList<>();
            for (int i = 0; i <= steps; i++) {
                ticks.add(i * step);
            }
            return ticks;
        }
    }
}
