package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.CharConversionException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutageTest {

    /** An answer of a registry, as the client of Confluent's throws it. */
    public static final class RestClientException extends Exception {
        private final int status;

        RestClientException(String message, int status, int errorCode) {
            super(message + "; error code: " + errorCode);
            this.status = status;
        }

        /** Called by reflection. */
        public int getStatus() {
            return status;
        }
    }

    /** As Apache's HTTP client throws it, a plain IOException otherwise. */
    private static final class NoHttpResponseException extends IOException {}

    /** As a parser throws it, for example Jackson's. */
    private static final class ParserException extends IOException {}

    private static boolean isOutage(Throwable cause) {
        return Outage.caused(new DataException("in a converter", new SerializationException("in a serializer", cause)));
    }

    static Stream<Throwable> failuresOfTheNetwork() {
        return Stream.of(
                new ConnectException("Connection refused"),
                new SocketException("Unexpected end of file from server"),
                new NoRouteToHostException(),
                new UnknownHostException("registry"),
                new SocketTimeoutException("Read timed out"),
                new HttpTimeoutException("request timed out"),
                new HttpConnectTimeoutException("connect timed out"),
                new SSLHandshakeException("PKIX path building failed"),
                new ClosedChannelException(),
                new UnresolvedAddressException(),
                new NoHttpResponseException(),
                new TimeoutException(),
                new org.apache.kafka.common.errors.TimeoutException("no answer"),
                new RetriableException("again"));
    }

    @ParameterizedTest
    @MethodSource("failuresOfTheNetwork")
    void isAFailureOfTheNetwork(Throwable cause) {
        assertThat(isOutage(cause)).isTrue();
    }

    static Stream<Throwable> refusalsOfContent() {
        return Stream.of(
                new IOException("Incompatible schema. Set latest.compatibility.strict=false to disable this check"),
                new EOFException(),
                new CharConversionException(),
                new UTFDataFormatException(),
                new ParserException(),
                new IllegalArgumentException("a field is missing"));
    }

    @ParameterizedTest
    @MethodSource("refusalsOfContent")
    void isNoRefusalOfContent(Throwable cause) {
        assertThat(isOutage(cause)).isFalse();
        assertThat(Outage.caused(new DataException("refused"))).isFalse();
    }

    static Stream<RuntimeException> refusalsOfTheClient() {
        return Stream.of(
                new ConfigException("Failed to access Avro data from topic t : Unauthorized; error code: 401"),
                new ConfigException("No schema registry URL"),
                new InvalidConfigurationException("Not Found; error code: 404"),
                new SaslAuthenticationException("wrong password"),
                new TopicAuthorizationException("no right"));
    }

    @ParameterizedTest
    @MethodSource("refusalsOfTheClient")
    void isARefusalOfTheClient(RuntimeException failure) {
        assertThat(Outage.caused(failure)).isTrue();
        assertThat(isOutage(failure)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 407, 408, 429, 500, 502, 503, 599})
    void isAnAnswerThatJudgesNoSchema(int status) {
        assertThat(isOutage(new RestClientException("answer", status, status))).isTrue();
        assertThat(isOutage(new RestClientException("answer", status, status * 100 + 1)))
                .isTrue();
        assertThat(isOutage(new RestClientException("a body without a code", status, 0)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"404, 40401", "404, 40403", "409, 409", "422, 42201", "400, 0", "413, 50005", "200, 0"})
    void isNoAnswerThatJudgesTheSchema(int status, int errorCode) {
        assertThat(isOutage(new RestClientException("answer", status, errorCode)))
                .isFalse();
    }

    @Test
    void isABodyThatARegistryDoesNotSend() {
        assertThat(isOutage(new RestClientException("Unexpected character ('<')", 404, 50005)))
                .isTrue();
    }

    /** Confluent's converters make one exception of refused credentials and of a refused schema. */
    @ParameterizedTest
    @ValueSource(strings = {"400", "409", "413", "422", "42201"})
    void isNoRefusedSchemaInAnExceptionOfTheConfiguration(String code) {
        String message = "Schema being registered is incompatible with an earlier schema; error code: " + code;
        assertThat(Outage.caused(new ConfigException("Failed to access Avro data from topic t : " + message)))
                .isFalse();
        assertThat(isOutage(new InvalidConfigurationException(message))).isFalse();
    }

    @Test
    void endsAtAChainThatContainsItself() {
        DataException outer = new DataException("outer");
        outer.initCause(new DataException("inner", outer));
        assertThat(Outage.caused(outer)).isFalse();
    }
}
