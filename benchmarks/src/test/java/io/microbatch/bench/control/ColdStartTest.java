package io.microbatch.bench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.bench.load.Window;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColdStartTest {

    private static final long BEGAN = 1_000_000;

    private final List<Window> windows = new ArrayList<>();

    private void best(double... lingersMs) {
        for (double lingerMs : lingersMs) {
            window(4, lingerMs, false);
        }
    }

    private void trial(double lingerMs) {
        window(4, lingerMs, true);
    }

    private void window(int level, double lingerMs, boolean trial) {
        window(10_000, level, lingerMs, trial);
    }

    /** A window that begins when the last one ended. */
    private void window(long windowMs, int level, double lingerMs, boolean trial) {
        long begunEpochMs =
                windows.isEmpty() ? BEGAN : windows.get(windows.size() - 1).endEpochMs();
        windows.add(new Window(begunEpochMs + windowMs, level, 20_000, lingerMs, 100, windowMs, 1_000, 10, 20, trial));
    }

    private void shortBest(double... lingersMs) {
        for (double lingerMs : lingersMs) {
            window(2_000, 4, lingerMs, false);
        }
    }

    private void shortTrial(double lingerMs) {
        window(2_000, 4, lingerMs, true);
    }

    private ColdStart start() {
        return start(10_000);
    }

    private ColdStart start(int wholeMs) {
        return ColdStart.of(windows, BEGAN, wholeMs);
    }

    @Test
    void endsWithTheLastTrialOfTheFirstSeries() {
        best(25, 25);
        trial(36);
        best(36);
        trial(18);
        best(36, 35, 37);
        trial(40);
        best(36, 36, 36, 36);
        assertThat(start()).isEqualTo(new ColdStart(4, 25, 36, 20_000, 50_000, 2));
        assertThat(start().convergedMs()).isEqualTo(50_000);
    }

    @Test
    void settlesAfterTheLastWindowWithAnotherSetting() {
        best(25, 25, 25, 25);
        trial(36);
        best(25, 25, 25);
        trial(50);
        best(50, 50, 50, 50, 50, 50, 50);
        ColdStart start = start();
        assertThat(start.settledMs()).isEqualTo(80_000);
        assertThat(start.exploredMs()).isEqualTo(50_000);
        assertThat(start.convergedMs()).isEqualTo(80_000);
    }

    @Test
    void isSettledFromTheBeginningWhereNothingChanges() {
        best(25, 26, 25, 25);
        assertThat(start()).isEqualTo(new ColdStart(4, 25, 25, 0, 0, 0));
    }

    @Test
    void hasNotConvergedWhileTrialsFollowEachOther() {
        best(25);
        trial(36);
        best(25);
        trial(18);
        best(25, 25);
        assertThat(start().exploredMs()).isEqualTo(-1);
        assertThat(start().convergedMs()).isEqualTo(-1);
        assertThat(start().toJson()).containsEntry("converged_s", null);
    }

    @Test
    void endsWithTheLastTrialBeforeWindowsAreWholeAgain() {
        shortBest(25, 25);
        shortTrial(36);
        shortBest(36);
        shortTrial(18);
        shortBest(36, 36, 36);
        shortTrial(9);
        shortBest(36, 36);
        trial(40);
        best(36);
        trial(30);
        best(36);
        assertThat(start()).isEqualTo(new ColdStart(4, 25, 36, 4_000, 18_000, 3));
    }

    @Test
    void isNotExploredWhileWindowsAreShort() {
        shortBest(25, 25);
        shortTrial(36);
        shortBest(25, 25, 25, 25, 25);
        assertThat(start().exploredMs()).isEqualTo(-1);
        best(25);
        assertThat(start().exploredMs()).isEqualTo(6_000);
    }

    /** The first window is whole if the task opened its file late. */
    @Test
    void explorationMayBeginAfterAWholeWindow() {
        best(25);
        shortBest(25);
        shortTrial(36);
        shortBest(25);
        best(25);
        assertThat(start()).isEqualTo(new ColdStart(4, 25, 25, 0, 14_000, 1));
    }

    @Test
    void takesNoWindowForShortIfNoneCanBe() {
        shortBest(25, 25);
        shortTrial(36);
        shortBest(25);
        window(1_500, 4, 18, true);
        shortBest(25, 25, 25);
        assertThat(start(2_000).exploredMs()).isEqualTo(9_500);
    }

    @Test
    void looksAtTheLevelWithTheMostWindows() {
        window(6, 3, false);
        best(25, 25, 25);
        window(6, 3, false);
        assertThat(start().level()).isEqualTo(4);
        assertThat(start().firstLingerMs()).isEqualTo(25);
    }

    @Test
    void needsAWindowThatIsNoTrial() {
        trial(36);
        assertThatThrownBy(this::start).isInstanceOf(IllegalArgumentException.class);
    }
}
