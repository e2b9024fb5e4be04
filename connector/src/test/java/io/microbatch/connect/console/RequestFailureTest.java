package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** The failures have the form that Java's client gives them. {@code MigrateTlsIT} has real ones. */
class RequestFailureTest {

    private static String reason(Throwable cause) {
        return RequestFailure.reason((IOException) new SSLHandshakeException("said").initCause(cause));
    }

    @Test
    void tellsACertificateThatIsNotTrustedFromOneOfAnotherHost() {
        assertThat(reason(new CertificateException("path", new CertPathBuilderException())))
                .startsWith("the worker's certificate is not trusted.")
                .contains("-Djavax.net.ssl.trustStore=FILE", "MICROBATCH_JAVA_ARGS", "java @", "(said)")
                // Java prints the value of this variable, with the passwords in it.
                .doesNotContain("JAVA_TOOL_OPTIONS");
        assertThat(reason(new CertPathValidatorException())).startsWith("the worker's certificate is not trusted.");
        assertThat(reason(new CertificateException("no name matches")))
                .startsWith("the worker's certificate is not for the host")
                .endsWith("(said)");
    }

    @Test
    void asksWhetherTheAddressSpeaksTls() {
        assertThat(RequestFailure.reason(new SSLException("no record")))
                .startsWith("no TLS connection")
                .endsWith("(no record)");
    }

    @Test
    void saysTheRestAsItIs() {
        assertThat(RequestFailure.reason(new IOException("reset"))).isEqualTo("reset");
        assertThat(RequestFailure.reason(new ConnectException()))
                .isEqualTo("the worker does not answer (ConnectException)");
    }
}
