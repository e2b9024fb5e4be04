package io.microbatch.bench.report;

import java.util.Locale;

/** Text and numbers as a page has them. Stateless. */
final class Html {

    private Html() {}

    static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** As an axis has it: 10k for ten thousand, 1M for a million. */
    static String compact(double value) {
        if (value >= 1_000_000) {
            return number(value / 1_000_000) + "M";
        }
        return value >= 10_000 ? number(value / 1_000) + "k" : number(value);
    }

    /** Three significant digits where there are decimals, groups of thousands where there are none. */
    static String number(double value) {
        if (value == 0 || Math.abs(value) >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        String digits = String.format(
                Locale.ROOT, Math.abs(value) >= 10 ? "%.1f" : Math.abs(value) >= 1 ? "%.2f" : "%.3f", value);
        return digits.contains(".") ? digits.replaceAll("0+$", "").replaceAll("\\.$", "") : digits;
    }
}
