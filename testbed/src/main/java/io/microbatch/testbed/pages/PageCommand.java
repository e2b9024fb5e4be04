package io.microbatch.testbed.pages;

/**
 * A command as a reader copies it, without its comment.
 *
 * @param page the path of the page in the checkout, with slashes
 * @param line the line of the page on which it begins, from 1
 * @param text the command; lines that a backslash or a quotation mark continues are part of it
 */
public record PageCommand(String page, int line, String text) {

    @Override
    public String toString() {
        return page + ":" + line + ": " + text;
    }
}
