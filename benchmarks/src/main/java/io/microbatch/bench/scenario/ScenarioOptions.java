package io.microbatch.bench.scenario;

import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Profiles;
import io.microbatch.bench.profile.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What every scenario takes: how long, what is sent, how it is delivered. */
final class ScenarioOptions {

    private static final int MAX_ROUNDS = 20;
    private static final int THOROUGH_ROUNDS = 5;

    @ArgGroup(multiplicity = "0..1")
    private Extent extent = new Extent();

    @ArgGroup(multiplicity = "0..1")
    private Source source = new Source();

    /** One of these at most. */
    private static final class Extent {
        @Option(
                names = "--smoke",
                required = true,
                description = "seconds of load, one driver, no result: does it work?")
        private boolean smoke;

        @Option(names = "--quick", required = true, description = "one round, for a look")
        private boolean quick;

        @Option(
                names = {"--thorough", "--full"},
                required = true,
                description = "medians of five rounds")
        private boolean thorough;

        @Option(names = "--rounds", required = true, paramLabel = "N", description = "medians of this many rounds")
        private int rounds;
    }

    /** A pair by name, or files. */
    private static final class Source {
        @Option(
                names = "--profile",
                required = true,
                paramLabel = "NAME",
                description = "the workload and the driver of this name in benchmarks/profiles")
        private String profile;

        @ArgGroup(exclusive = false)
        private Files files = new Files();
    }

    /** Any workload with any drivers. */
    private static final class Files {
        @Option(names = "--workload", paramLabel = "FILE", description = "what is sent, YAML")
        private Path workload;

        @Option(
                names = "--driver",
                paramLabel = "FILE",
                split = ",",
                description = "how it is delivered, YAML; several are measured one after the other")
        private List<Path> drivers = new ArrayList<>();
    }

    boolean isSmoke() {
        return extent.smoke;
    }

    /** How often each situation is measured. 0 or less is not valid. */
    int rounds(int otherwise) {
        if (extent.smoke || extent.quick) {
            return 1;
        }
        return extent.thorough ? THOROUGH_ROUNDS : extent.rounds == 0 ? otherwise : extent.rounds;
    }

    boolean areRoundsSensible(int otherwise) {
        return rounds(otherwise) >= 1 && rounds(otherwise) <= MAX_ROUNDS;
    }

    /** The workload that was asked for, or the scenario's own. */
    Workload workload(String own) {
        Path file = source.profile != null
                ? Profiles.workload(source.profile)
                : source.files.workload != null ? source.files.workload : Profiles.workload(own);
        Workload workload = Workload.read(file);
        return extent.smoke ? workload.smoke() : workload;
    }

    /** The drivers that were asked for, or one of each delivery mode. */
    List<Driver> drivers(List<String> own) {
        if (source.profile != null) {
            return List.of(Driver.read(Profiles.driver(source.profile)));
        }
        if (!source.files.drivers.isEmpty()) {
            return source.files.drivers.stream().map(Driver::read).toList();
        }
        List<Driver> drivers =
                own.stream().map(name -> Driver.read(Profiles.driver(name))).toList();
        return extent.smoke ? drivers.subList(0, 1) : drivers;
    }
}
