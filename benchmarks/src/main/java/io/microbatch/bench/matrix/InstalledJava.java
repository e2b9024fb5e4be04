package io.microbatch.bench.matrix;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A Java that servers can run on.
 *
 * @param feature the first number of its version, such as 17
 * @param version its whole version
 * @param home the directory that has {@code bin/java}
 */
record InstalledJava(int feature, String version, Path home) {

    private static final Path USUAL_PLACE = Path.of("/usr/lib/jvm");
    private static final int OLDEST = 17;

    /** Java 17 or else the oldest later one, and the newest one of this machine if it is another. */
    static List<InstalledJava> oldestAndNewest(List<Path> others) {
        Map<Integer, InstalledJava> byFeature = new TreeMap<>();
        for (Path home : candidates(others)) {
            InstalledJava found = of(home);
            if (found != null && found.feature >= OLDEST) {
                byFeature.putIfAbsent(found.feature, found);
            }
        }
        List<InstalledJava> sorted = new ArrayList<>(byFeature.values());
        return sorted.size() < 2 ? sorted : List.of(sorted.get(0), sorted.get(sorted.size() - 1));
    }

    private static List<Path> candidates(List<Path> others) {
        List<Path> candidates = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        candidates.addAll(others);
        if (Files.isDirectory(USUAL_PLACE)) {
            try (Stream<Path> installed = Files.list(USUAL_PLACE)) {
                candidates.addAll(installed.sorted(Comparator.naturalOrder()).toList());
            } catch (IOException e) {
                // The others are enough.
                return candidates;
            }
        }
        return candidates;
    }

    /** Reads the file with which every JDK names its version. Null if the directory has no Java. */
    static InstalledJava of(Path home) {
        Properties release = new Properties();
        try (Reader file = Files.newBufferedReader(home.resolve("release"))) {
            release.load(file);
        } catch (IOException e) {
            return null;
        }
        String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
        String feature = version.replaceFirst("[^0-9].*", "");
        return feature.isEmpty() || !Files.isExecutable(home.resolve("bin").resolve("java"))
                ? null
                : new InstalledJava(Integer.parseInt(feature), version, home);
    }
}
