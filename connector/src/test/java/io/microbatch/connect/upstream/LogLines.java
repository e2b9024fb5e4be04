package io.microbatch.connect.upstream;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** The lines that were written to a logger: level, message, and the message of the exception if there is one. */
final class LogLines {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    Logger logger() {
        return (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    // SLF4J passes one or two arguments as such, and more of them as an array.
                    Object[] shown = arguments[1] instanceof Object[] several
                            ? several
                            : Arrays.copyOfRange(arguments, 1, arguments.length);
                    var line = MessageFormatter.arrayFormat((String) arguments[0], shown);
                    Throwable cause = line.getThrowable();
                    lines.add(method.getName() + " " + line.getMessage()
                            + (cause == null ? "" : " with " + cause.getMessage()));
                    return null;
                });
    }

    List<String> written() {
        return lines;
    }
}
