package io.microbatch.bench.calibrate;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a level of the command line: {@code 8}, {@code L8} or {@code L8_AGGRESSIVE}. Stateless. */
final class LevelName implements ITypeConverter<PressureLevel> {

    @Override
    public PressureLevel convert(String text) {
        String wanted = text.toUpperCase(Locale.ROOT);
        return Arrays.stream(PressureLevel.values())
                .filter(level -> wanted.equals(level.name())
                        || wanted.equals("L" + level.number())
                        || wanted.equals(Integer.toString(level.number())))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("no level " + text + "; there are "
                        + Arrays.stream(PressureLevel.values())
                                .map(PressureLevel::name)
                                .collect(Collectors.joining(", "))));
    }
}
