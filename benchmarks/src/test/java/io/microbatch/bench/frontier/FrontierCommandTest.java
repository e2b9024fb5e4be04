package io.microbatch.bench.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A wrong command line ends before anything starts. */
class FrontierCommandTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--quick --brokers 2 | --brokers is 1 or 3",
                "--quick --leaders together | --leaders needs --brokers 3",
                "--quick --brokers 3 --leaders behind | --leaders is apart or together",
                "--quick --brokers 3 --delays-ms 0,10 | --delays-ms needs --brokers 1",
                "--quick --delays-ms -1 | --delays-ms are 0 to 5000",
                "--quick --delivery twice | --delivery is exactly-once or at-least-once",
                "--quick --contenders interval-20,fast | no contender fast under exactly-once",
                "--quick --contenders default,default | --contenders names one twice",
                "--quick --delivery at-least-once --contenders naive | no contender naive under at-least-once",
                "--quick --rates 0 | --rates are 1 to 1000000",
                "--quick --rounds 0 | --rounds are 1 to 100",
                "--quick --seconds 0 | --seconds 1 to 600",
                "--quick --learn-seconds 4 | --learn-seconds are 5 to 600",
                "--quick --settle-seconds -1 | --settle-seconds are 0 to 600",
                "--quick --txn-retry-backoff-ms 0 | --txn-retry-backoff-ms is at least 1",
                "--rates 20 | Missing required argument"
            })
    void isRejectedWithTheOption(String line, String message) {
        StringWriter err = new StringWriter();
        int code = new CommandLine(new FrontierCommand())
                .setErr(new PrintWriter(err))
                .execute(line.split(" "));
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
