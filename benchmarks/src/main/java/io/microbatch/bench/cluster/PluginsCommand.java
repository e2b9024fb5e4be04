package io.microbatch.bench.cluster;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.load.BaselinePlugin;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bench plugins}: what the workers of the images find on their {@code plugin.path}. */
@Command(
        name = "plugins",
        description = "Fills a directory as a worker's plugin.path wants it: this connector out of its archive,"
                + " Debezium's for PostgreSQL, and the naive connector that the bench compares with.")
public final class PluginsCommand implements Callable<Integer> {

    private static final String DEBEZIUM = "debezium-connector-postgres";

    @Parameters(paramLabel = "DIRECTORY", description = "made if it is not there")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        Path plugins = Files.createDirectories(directory);
        PluginArchive.unpack(BenchHome.archive(), plugins);
        BaselinePlugin.install(plugins);
        copy(TestbedHome.locate().plugins().resolve(DEBEZIUM), plugins.resolve(DEBEZIUM));
        return 0;
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(from)) {
            all = found.toList();
        }
        for (Path each : all) {
            Path ignored = Files.copy(each, to.resolve(from.relativize(each).toString()));
        }
    }
}
