package io.microbatch.connect.cli;

import io.microbatch.connect.console.AdviseCommand;
import io.microbatch.connect.console.AuthorizationHeader;
import io.microbatch.connect.migrate.Migrate;
import java.util.Arrays;
import java.util.List;

/**
 * The program {@code bin/microbatch} of the archive, with a subcommand for each task of an operator. One call; the
 * caller's thread.
 */
public final class Microbatch {

    private static final int WRONG_ARGUMENTS = 2;

    private Microbatch() {}

    /**
     * Runs as a program: exits with 0 when it did what was asked, 1 when it did not, 2 for wrong arguments.
     *
     * @param arguments a subcommand and its own arguments
     */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> rest = Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length);
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "advise" -> AdviseCommand.main(rest.toArray(new String[0]));
            case "migrate" -> System.exit(Migrate.run(rest, System.getenv(AuthorizationHeader.VARIABLE), System.out));
            default -> {
                System.err.println("usage: microbatch advise <URL of a worker's REST interface> [p99 in ms]");
                System.err.println("       microbatch migrate --rest URL --connector NAME [options]");
                System.exit(WRONG_ARGUMENTS);
            }
        }
    }
}
