package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class MicrobatchSourceTaskTest {

    /** A worker that starts with a paused connector calls commit before start. */
    @Test
    void mayBeCommittedAndStoppedBeforeItIsStarted() {
        MicrobatchSourceTask task = new MicrobatchSourceTask();
        assertThatCode(task::commit).doesNotThrowAnyException();
        assertThatCode(task::stop).doesNotThrowAnyException();
    }
}
