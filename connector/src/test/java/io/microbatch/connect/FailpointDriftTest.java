package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.failpoint.Failpoint;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Failpoints name methods by strings. These tests fail when a named method is renamed or moved. */
class FailpointDriftTest {

    static Stream<Failpoint> pointsInThePlugin() {
        return Arrays.stream(Failpoint.values()).filter(Failpoint::isInPlugin);
    }

    @ParameterizedTest
    @MethodSource("pointsInThePlugin")
    void matchesExactlyOneMethod(Failpoint point) throws ClassNotFoundException {
        Class<?> type = Class.forName(point.className(), false, getClass().getClassLoader());
        List<Method> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(point.methodName()) && !method.isBridge())
                .toList();

        assertThat(methods).as("%s: rename the method in Failpoint too", point).hasSize(1);
        assertThat(methods.get(0).getModifiers() & java.lang.reflect.Modifier.ABSTRACT)
                .isZero();
    }

    @Test
    void noSourceOfThePluginMentionsFailpoints() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file).toLowerCase(java.util.Locale.ROOT))
                        .as("%s: the testbed's agent weaves in faults, the plugin has no hooks", file)
                        .doesNotContain("failpoint", "bytebuddy", "faultinjection");
            }
        }
    }
}
