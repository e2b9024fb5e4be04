package io.microbatch.bench.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class CalibrateCommandTest {

    private static List<PressureLevel> wanted(String... arguments) {
        CalibrateCommand command = new CalibrateCommand();
        CommandLine.ParseResult ignored = new CommandLine(command).parseArgs(arguments);
        return command.wanted();
    }

    @Test
    void takesLevelsByNumberAndByName() {
        assertThat(wanted()).hasSize(7).endsWith(PressureLevel.L7_HIGH);
        assertThat(wanted("--all")).containsExactly(PressureLevel.values());
        assertThat(wanted("3", "5")).containsExactly(PressureLevel.L3_LOW, PressureLevel.L5_BALANCED);
        assertThat(wanted("--levels", "l1,L4,8,L8_AGGRESSIVE"))
                .containsExactly(PressureLevel.L1_REALTIME, PressureLevel.L4_MODERATE, PressureLevel.L8_AGGRESSIVE);
        assertThat(wanted("--smoke")).hasSize(3);
        assertThatThrownBy(() -> wanted("--levels", "L11"))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining("no level L11; there are L1_REALTIME");
    }

    @ParameterizedTest
    @EnumSource
    void offersEachLevelARateOfItsBand(PressureLevel level) {
        assertThat(PressureLevel.ofRate(LevelOffer.to(level).perSec())).isEqualTo(level);
    }

    /** A backlog of what the machine does not carry would take as long as it likes. */
    @Test
    void aRateThatIsNotCarriedTakesNoLongerThanTheOthers() {
        LevelOffer offer = LevelOffer.to(PressureLevel.L9_EXTREME);
        assertThat(offer.isUncertain()).isTrue();
        assertThat(offer.events(10, 200_000)).isEqualTo(2_000_000);
        assertThat(offer.events(3_600, 1e9)).isEqualTo(50_000_000);
        assertThat(offer.spec("t", 10, 200_000, Map.of()).rate()).isEqualTo("2000000");

        LevelOffer slow = LevelOffer.to(PressureLevel.L1_REALTIME);
        assertThat(slow.isUncertain()).isFalse();
        assertThat(slow.events(10, Double.POSITIVE_INFINITY)).isEqualTo(50);
    }

    private static LevelResult result(boolean verified, double carriedPerSec, long windowsOfLevel) {
        return new LevelResult(
                1,
                LevelOffer.to(PressureLevel.L8_AGGRESSIVE),
                verified,
                carriedPerSec,
                9,
                windowsOfLevel,
                Map.of("mb_per_s", 20.0));
    }

    @Test
    void saysWhatBecameOfAnOffer() {
        assertThat(result(true, 250_000, 4).outcome()).isEqualTo("learned");
        assertThat(result(true, 250_000, 0).outcome()).isEqualTo("no window of this level");
        assertThat(result(true, 199_000, 4).outcome()).isEqualTo("not carried by this machine");
        assertThat(result(false, 250_000, 4).outcome()).isEqualTo("not verified");
        assertThat(result(true, 199_000, 0).json())
                .containsEntry("level", "L8_AGGRESSIVE")
                .containsEntry("rate", 450_000)
                .containsEntry("from_per_s", 200_000.0)
                .containsEntry("achieved_per_s", 199_000.0)
                .containsEntry("mb_per_s", 20.0)
                .doesNotContainKeys("p99_ms", "gap");
        assertThat(LevelResult.table().row(result(true, 199_000, 0).row()))
                .contains("L8_AGGRESSIVE", "450,000", "199,000", "20.0", "not carried by this machine");
    }
}
