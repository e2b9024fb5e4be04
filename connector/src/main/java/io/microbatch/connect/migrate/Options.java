package io.microbatch.connect.migrate;

import io.microbatch.connect.console.AuthorizationHeader;
import io.microbatch.connect.console.RestAddress;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The arguments of the command. Immutable; any thread. Its text shows no value.
 *
 * @param rest the REST interface of any worker
 * @param connector the name of the connector
 * @param back whether to go back to the plain connector
 * @param from a file with the configuration to go to; empty to make it of the present one
 * @param set settings of the new configuration
 * @param remove keys that the new configuration shall not have
 * @param directory where what is replaced is saved
 * @param limit how long each step may take
 * @param watch how long the tasks have to run before the move has succeeded
 * @param execute whether to change anything
 */
record Options(
        URI rest,
        String connector,
        boolean back,
        Optional<Path> from,
        Map<String, String> set,
        Set<String> remove,
        Path directory,
        Duration limit,
        Duration watch,
        boolean execute) {

    static final List<String> USAGE = List.of(
            "usage: microbatch migrate --rest URL --connector NAME [options]",
            "  --rest URL        the REST interface of any worker of the cluster",
            "  --connector NAME  the connector to host",
            "  --back            run the hosted connector plain again",
            "  --execute         do it; without it nothing is changed",
            "  --dry-run         show what would be done, which is the default",
            "  --set KEY=VALUE   a setting of the new configuration; may be repeated",
            "  --remove KEY      a key that the new configuration shall not have; may be repeated",
            "  --from FILE       take the new configuration from a file, such as the one that the move saved",
            "  --save DIRECTORY  where to save what is replaced; the working directory by default",
            "  --timeout SECONDS how long each step may take; 120 by default",
            "  --watch SECONDS   how long all tasks have to run at the end; 10 by default",
            "Where the worker wants a header Authorization, the variable " + AuthorizationHeader.VARIABLE
                    + " holds it.",
            "Exit codes: 0 done or nothing to do, 1 not done, 2 wrong arguments.");

    private static final long LIMIT_SECONDS_DEFAULT = 120;
    private static final long WATCH_SECONDS_DEFAULT = 10;
    private static final long MAX_SECONDS = 86_400;

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException what is wrong with them
     */
    static Options of(List<String> arguments) {
        Map<String, String> values = new TreeMap<>();
        Map<String, String> set = new TreeMap<>();
        Set<String> remove = new TreeSet<>();
        Set<String> flags = new TreeSet<>();
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String name = rest.next();
            switch (name) {
                case "--back", "--execute", "--dry-run" -> flags.add(name);
                case "--set" -> put(set, value(name, rest));
                case "--remove" -> remove.add(value(name, rest));
                case "--rest", "--connector", "--from", "--save", "--timeout", "--watch" -> {
                    if (values.put(name, value(name, rest)) != null) {
                        throw new IllegalArgumentException(name + " is given twice");
                    }
                }
                default -> throw new IllegalArgumentException("unknown argument " + name);
            }
        }
        if (flags.contains("--execute") && flags.contains("--dry-run")) {
            throw new IllegalArgumentException("--execute and --dry-run exclude each other");
        }
        return new Options(
                RestAddress.of(required(values, "--rest")),
                required(values, "--connector"),
                flags.contains("--back"),
                Optional.ofNullable(values.get("--from")).map(Options::file),
                set,
                remove,
                file(values.getOrDefault("--save", "")),
                seconds(values, "--timeout", LIMIT_SECONDS_DEFAULT),
                seconds(values, "--watch", WATCH_SECONDS_DEFAULT),
                flags.contains("--execute"));
    }

    private static String value(String name, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        return rest.next();
    }

    private static void put(Map<String, String> set, String setting) {
        int equals = setting.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("--set needs KEY=VALUE");
        }
        set.put(setting.substring(0, equals), setting.substring(equals + 1));
    }

    private static String required(Map<String, String> values, String name) {
        String value = values.getOrDefault(name, "");
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + " is needed");
        }
        return value;
    }

    private static Path file(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("no file can have the name " + text, e);
        }
    }

    private static Duration seconds(Map<String, String> values, String name, long standard) {
        try {
            long seconds = Long.parseLong(values.getOrDefault(name, Long.toString(standard)));
            if (seconds >= 0 && seconds <= MAX_SECONDS) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException e) {
            // The message below is the same.
        }
        throw new IllegalArgumentException(name + " needs seconds, from 0 to " + MAX_SECONDS);
    }

    /** Without values: one of them may be a secret. */
    @Override
    public String toString() {
        return "Options[" + connector + "]";
    }
}
