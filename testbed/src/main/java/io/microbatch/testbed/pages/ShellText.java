package io.microbatch.testbed.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Takes the text of a shell apart, as far as the pages need it: quotation marks, comments, continued lines, pipes and
 * lists, substitutions outside of quotation marks. It knows no here-documents. Stateless.
 */
public final class ShellText {

    private static final Set<String> REDIRECTIONS = Set.of("<", ">", ">>", "2>");
    private static final Set<String> KEYWORDS = Set.of("do", "then", "else", "{");
    private static final Set<String> ENDS = Set.of("done", "fi", "}", "esac");

    private ShellText() {}

    /**
     * A line for the shell with the lines that continue it.
     *
     * @param offset how many lines of the text are before it
     * @param text the line, without its comment
     */
    record Line(int offset, String text) {}

    static List<Line> lines(String text) {
        List<Line> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        char quote = 0;
        int number = 0;
        int begun = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isWordStart = at == 0 || Character.isWhitespace(text.charAt(at - 1));
            if (quote == 0 && c == '#' && isWordStart) {
                at = end(text, at) - 1;
            } else if (c == '\\' && quote != '\'' && text.startsWith("\n", at + 1)) {
                line.setLength(line.toString().stripTrailing().length());
                line.append(' ');
                number++;
                at = indented(text, at + 2) - 1;
            } else if (c == '\\' && quote != '\'' && at + 1 < text.length()) {
                line.append(text, at, at + 2);
                at++;
            } else if (c == '\n' && quote == 0) {
                add(lines, begun, line);
                begun = ++number;
            } else {
                quote = quoteAfter(quote, c);
                number += c == '\n' ? 1 : 0;
                line.append(c);
            }
        }
        add(lines, begun, line);
        return lines;
    }

    private static int end(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    private static int indented(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return at;
    }

    private static void add(List<Line> lines, int offset, StringBuilder line) {
        String text = line.toString().strip();
        line.setLength(0);
        if (!text.isEmpty()) {
            lines.add(new Line(offset, text));
        }
    }

    private static char quoteAfter(char quote, char c) {
        if (quote != 0) {
            return c == quote ? 0 : quote;
        }
        return c == '\'' || c == '"' ? c : 0;
    }

    /**
     * The programs that a line starts, each with its arguments, without quotation marks, redirections and the words of
     * loops. A substitution counts as a program of its own.
     */
    public static List<List<String>> programs(String line) {
        List<List<String>> programs = new ArrayList<>();
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isWord = false;
        char quote = 0;
        for (int at = 0; at <= line.length(); at++) {
            char c = at < line.length() ? line.charAt(at) : ';';
            if (c == '\\' && quote != '\'' && at + 1 < line.length()) {
                at++;
                word.append(line.charAt(at));
                isWord = true;
                continue;
            }
            if (quote != 0 && at < line.length()) {
                quote = quoteAfter(quote, c);
                if (quote != 0) {
                    word.append(c);
                }
                continue;
            }
            boolean separates = ";|&()".indexOf(c) >= 0;
            if (separates || Character.isWhitespace(c)) {
                if (isWord && !word.toString().equals("$")) {
                    words.add(word.toString());
                }
                word.setLength(0);
                isWord = false;
                if (separates) {
                    addProgram(programs, words);
                    words = new ArrayList<>();
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                isWord = true;
            } else {
                word.append(c);
                isWord = true;
            }
        }
        return programs;
    }

    private static void addProgram(List<List<String>> programs, List<String> words) {
        List<String> program = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            if (REDIRECTIONS.contains(word)) {
                at++;
            } else if (!program.isEmpty() || !KEYWORDS.contains(word)) {
                program.add(word);
            }
        }
        if (!program.isEmpty() && !ENDS.contains(program.get(0))) {
            programs.add(program);
        }
    }
}
