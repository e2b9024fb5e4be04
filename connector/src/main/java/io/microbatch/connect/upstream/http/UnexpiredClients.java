package io.microbatch.connect.upstream.http;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts the clients that the JDK trusts, if their own certificate is valid now. The JDK does not look at the dates of
 * a certificate that is in the truststore itself. Immutable; any thread.
 */
final class UnexpiredClients extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager trusted;

    UnexpiredClients(X509ExtendedTrustManager trusted) {
        this.trusted = trusted;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trusted.checkClientTrusted(chain, type, engine);
        chain[0].checkValidity();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trusted.checkClientTrusted(chain, type, socket);
        chain[0].checkValidity();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trusted.checkClientTrusted(chain, type);
        chain[0].checkValidity();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw notAServer();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw notAServer();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw notAServer();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trusted.getAcceptedIssuers();
    }

    private static CertificateException notAServer() {
        return new CertificateException("Only clients are trusted");
    }
}
