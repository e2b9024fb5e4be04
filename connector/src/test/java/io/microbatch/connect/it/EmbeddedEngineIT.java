package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packaged connector in Debezium's engine, without Kafka: the program and the settings of docs/embedded.md. */
@Tag("processes")
class EmbeddedEngineIT {

    private static final Path PAGE = Path.of("..", "docs", "embedded.md");
    private static final Pattern BLOCK = Pattern.compile("```(java|properties)\n(.*?)```", Pattern.DOTALL);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long SEED = 7;
    private static final int PARTITIONS = 4;
    private static final int EVENTS = 2_000;
    private static final int LINES = 500;

    @TempDir
    private Path directory;

    private String classPath;
    private Process process;
    private long lines;

    @BeforeEach
    void install() throws IOException {
        PluginArchive.unpack(Path.of(System.getProperty("plugin.archive")), directory.resolve("plugin"));
        try (Stream<Path> unpacked = Files.list(directory.resolve("plugin"))) {
            classPath = TestbedHome.locate()
                    .engineClassPath(unpacked.findFirst().orElseThrow().resolve("lib"));
        }
        Files.writeString(directory.resolve("Embedded.java"), block("java"));
    }

    @AfterEach
    void end() {
        if (process != null) {
            kill();
        }
    }

    private static String block(String language) throws IOException {
        Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
        while (blocks.find()) {
            if (blocks.group(1).equals(language)) {
                return blocks.group(2);
            }
        }
        throw new IllegalStateException(PAGE + " has no block of " + language);
    }

    @Test
    void continuesAtItsOffsetsAfterAStopAndAfterAKill() throws IOException, InterruptedException {
        Files.writeString(directory.resolve("settings"), block("properties"));
        writeLines();
        start();
        awaitDelivered(this::textEvent, lines, 1);
        writeLines();
        awaitDelivered(this::textEvent, lines, 1);
        stop();

        writeLines();
        start();
        awaitDelivered(this::textEvent, lines, 1);
        assertThat(delivered()).as("a stop repeats nothing").hasSize((int) lines);
        // The store writes its file in place. With the last offset in it nothing more is to be written.
        Await.until("the last offset", PATIENCE, this::isLastOffsetStored, this::output);
        kill();

        writeLines();
        start();
        awaitDelivered(this::textEvent, lines, 1);
        stop();
        Findings found = check(this::textEvent, lines, 1);
        assertThat(found.isExactlyOnce())
                .as("a kill repeats nothing that the stored offsets cover: %s", found)
                .isTrue();
    }

    /** The moment may be one at which the store's file is empty: then everything is repeated. */
    @Test
    void losesNothingWhenItIsKilledAtAnyMoment() throws IOException, InterruptedException {
        Files.writeString(directory.resolve("settings"), block("properties"));
        for (int i = 0; i < 4; i++) {
            writeLines();
        }
        int killedAfter = new Random().nextInt(1, (int) lines);
        start();
        awaitLines(killedAfter);
        kill();

        writeLines();
        start();
        awaitDelivered(this::textEvent, lines, 1);
        stop();
        Findings found = check(this::textEvent, lines, 1);
        assertThat(found.isAtLeastOnce(0))
                .as("killed after %d events: %s", killedAfter, found)
                .isTrue();
    }

    /** An event that is not done keeps all later ones. 64 kB of them stop the reading of a hosted connector. */
    @Test
    void goesOnAfterATransformHasDroppedAnEvent() throws IOException, InterruptedException {
        String dropped = EventText.of(new Event(SEED, 0, LINES / 2, 0));
        Files.writeString(directory.resolve("settings"), block("properties") + """
                upstream.connector.batch.size=100
                stripe.max.bytes=65536
                transforms=drop
                transforms.drop.type=Drop
                transforms.drop.value=%s
                """.formatted(dropped));
        compileTransform("Drop", """
                    private Object value;

                    public void configure(Map<String, ?> settings) {
                        value = settings.get("value");
                    }

                    public SourceRecord apply(SourceRecord record) {
                        return value.equals(record.value()) ? null : record;
                    }
                """);
        for (int i = 0; i < 10; i++) {
            writeLines();
        }
        start();
        awaitLines(lines - 1);
        stop();
        Findings found = check(this::textEvent, lines, 1);
        assertThat(found.lost()).as("%s", found).isEqualTo(1);
        assertThat(found.duplicated() + found.reordered() + found.foreign())
                .as("%s", found)
                .isZero();
        assertThat(delivered()).noneMatch(line -> line.contains(dropped));
    }

    private void compileTransform(String name, String methods) throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve(name + ".java"), """
                import java.util.Map;
                import java.util.concurrent.atomic.AtomicBoolean;
                import java.util.concurrent.locks.LockSupport;
                import org.apache.kafka.common.config.ConfigDef;
                import org.apache.kafka.connect.source.SourceRecord;
                import org.apache.kafka.connect.transforms.Transformation;

                public class %s implements Transformation<SourceRecord> {
                %s
                    public ConfigDef config() {
                        return new ConfigDef();
                    }

                    public void close() {}
                }
                """.formatted(name, methods));
        Path classes = Files.createDirectory(directory.resolve("classes"));
        // Only the program knows the wildcards of the class path.
        Process compiler = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                        "-proc:none",
                        "-cp",
                        classPath,
                        "-d",
                        classes.toString(),
                        source.toString())
                .inheritIO()
                .start();
        assertThat(compiler.waitFor()).isZero();
        classPath += File.pathSeparator + classes;
    }

    private boolean isLastOffsetStored() {
        Path offsets = directory.resolve("offsets");
        try (ObjectInputStream stored = new ObjectInputStream(Files.newInputStream(offsets))) {
            String last = "\"position\":" + Files.size(directory.resolve("orders.log")) + "}";
            return ((Map<?, ?>) stored.readObject())
                    .values().stream()
                            .anyMatch(offset -> new String((byte[]) offset, StandardCharsets.UTF_8).contains(last));
        } catch (IOException | ClassNotFoundException e) {
            // It is being written.
            return false;
        }
    }

    /**
     * The engine closes its record threads first, and waits for those that work. A batch that arrives meanwhile ends it
     * with a {@code RejectedExecutionException}. The slow transform of one task makes it wait.
     */
    @Test
    void stopsCleanlyWhileEventsArrive() throws IOException, InterruptedException {
        writeGeneratorSettings(
                "record.processing.threads=2\nlatency.target.ms=5\ntransforms=slow\ntransforms.slow.type=Slow\n");
        compileTransform("Slow", """
                    private final AtomicBoolean isBusy = new AtomicBoolean();

                    public void configure(Map<String, ?> settings) {}

                    public SourceRecord apply(SourceRecord record) {
                        if (String.valueOf(record.sourcePartition()).contains("=0")
                                && isBusy.compareAndSet(false, true)) {
                            LockSupport.parkNanos(100_000_000);
                            isBusy.set(false);
                        }
                        return record;
                    }
                """);
        start();
        awaitLines(EVENTS / 2);
        stop();
    }

    @Test
    void runsSeveralTasksOfTheGeneratorAndATransform() throws IOException, InterruptedException {
        writeGeneratorSettings(
                "transforms=stamp\ntransforms.stamp.type=io.microbatch.connect.transforms.StampPressure\n");
        start();
        awaitLines(EVENTS);
        kill();
        start();
        awaitLines(EVENTS * 2L);
        stop();
        start();
        awaitDelivered(this::generatedEvent, EVENTS, PARTITIONS);
        stop();
        Findings found = check(this::generatedEvent, EVENTS, PARTITIONS);
        assertThat(found.isAtLeastOnce(0)).as("%s", found).isTrue();
    }

    private void writeGeneratorSettings(String more) throws IOException {
        Files.writeString(directory.resolve("settings"), """
                name=generated
                connector.class=io.microbatch.connect.MicrobatchSourceConnector
                tasks.max=2
                offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
                offset.storage.file.filename=offsets
                offset.flush.interval.ms=200
                converter.schemas.enable=false
                upstream.type=synthetic
                upstream.synthetic.topic=generated
                upstream.synthetic.partitions=%d
                upstream.synthetic.events.per.partition=%d
                upstream.synthetic.rate=1000
                upstream.synthetic.seed=%d
                %s""".formatted(PARTITIONS, EVENTS, SEED, more));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "upstream.type=http,upstream.http.topics=t | upstream.type=http",
                "upstream.type=synthetic,upstream.synthetic.topic=t,exactly.once.support=required | transactions",
                "upstream.type=synthetic,upstream.synthetic.topik=t | did you mean upstream.synthetic.topic"
            })
    void endsWithAMessageThatNamesWhatAnEngineCannotDo(String settings, String message)
            throws IOException, InterruptedException {
        String common = block("properties")
                .lines()
                .filter(line -> !line.startsWith("upstream."))
                .reduce("", (all, line) -> all + line + "\n");
        Files.writeString(directory.resolve("settings"), common + settings.replace(',', '\n') + "\n");
        start();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(output()).contains(message);
    }

    private void start() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // With these options the JVM compiles Embedded.java in half of the time.
        Stream.of(System.getProperty("testbed.jvm.options", "").split(" "))
                .filter(option -> !option.isEmpty())
                .forEach(command::add);
        command.addAll(List.of(
                "-Xmx256m", "-Duser.home=" + directory, "-cp", classPath, "Embedded.java", "settings", "events"));
        process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("output").toFile()))
                .start();
    }

    /** The end of the standard input, at which the program stops cleanly. */
    private void stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output()).isZero();
    }

    private void kill() {
        Process ignored = process.destroyForcibly();
        Process ended = process.onExit().join();
        assertThat(ended.isAlive()).isFalse();
    }

    private String output() {
        try {
            return Files.readString(directory.resolve("output"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeLines() throws IOException {
        List<String> more = LongStream.range(lines, lines + LINES)
                .mapToObj(sequence -> EventText.of(new Event(SEED, 0, sequence, 0)))
                .toList();
        Files.write(directory.resolve("orders.log"), more, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        lines += LINES;
    }

    private Event textEvent(String line) {
        return EventText.find(line.getBytes(StandardCharsets.UTF_8));
    }

    private Event generatedEvent(String line) {
        try {
            SyntheticEvent.Header header =
                    new SyntheticEvent().decode(Base64.getDecoder().decode(line.replace("\"", "")));
            return new Event(header.seed(), header.partition(), header.sequence(), 0);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private List<String> delivered() {
        try {
            Path events = directory.resolve("events");
            return Files.exists(events) ? Files.readAllLines(events) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitLines(long atLeast) {
        Await.until(
                atLeast + " events",
                PATIENCE,
                () -> delivered().size() >= atLeast || !process.isAlive(),
                () -> delivered().size() + " seen");
        assertThat(process.isAlive()).as(output()).isTrue();
    }

    private void awaitDelivered(Function<String, Event> decoder, long events, int partitions) {
        Await.until(
                "every event",
                PATIENCE,
                () -> check(decoder, events, partitions).lost() == 0 || !process.isAlive(),
                () -> check(decoder, events, partitions) + "\n" + output());
        assertThat(check(decoder, events, partitions).lost()).as(output()).isZero();
    }

    private Findings check(Function<String, Event> decoder, long events, int partitions) {
        Oracle oracle = new Oracle(
                SEED, LongStream.generate(() -> events).limit(partitions).toArray());
        delivered().forEach(line -> oracle.saw(decoder.apply(line), 0));
        return oracle.findings();
    }
}
