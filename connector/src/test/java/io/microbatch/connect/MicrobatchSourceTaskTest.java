package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class MicrobatchSourceTaskTest {

    /** A connector that is paused when its worker starts: the offset committer comes by before start does. */
    @Test
    void mayBeCommittedAndStoppedBeforeItIsStarted() {
        MicrobatchSourceTask task = new MicrobatchSourceTask();
        assertThatCode(task::commit).doesNotThrowAnyException();
        assertThatCode(task::stop).doesNotThrowAnyException();
    }
}
