package io.microbatch.connect.console;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers in the words of an advice. Stateless; any thread. */
final class Texts {

    private static final int DIGITS = 3;

    private Texts() {}

    /** With three digits: 0.0123, 4.57, 12,300. A dash if it is not known. */
    static String number(double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(DIGITS, RoundingMode.HALF_UP));
        BigDecimal plain = rounded.scale() < 0 ? rounded.setScale(0, RoundingMode.UNNECESSARY) : rounded;
        String text = String.format(Locale.ROOT, "%,." + plain.scale() + "f", plain);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }

    static String ms(double value) {
        return number(value) + " ms";
    }

    /** The value of a setting in whole milliseconds. */
    static String setting(double value) {
        return Long.toString(Math.round(value));
    }
}
