package io.microbatch.connect.upstream.http;

import static io.microbatch.connect.upstream.http.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.HttpAuthConfig;
import io.microbatch.connect.config.HttpAuthConfig.Grant;
import io.microbatch.connect.config.HttpAuthConfig.Method;
import io.microbatch.connect.config.HttpAuthConfig.Secret;
import io.microbatch.connect.config.HttpConfig;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {

    private static final List<HttpConfig.Topic> TOPICS = List.of(
            new HttpConfig.Topic("orders", false, 6),
            new HttpConfig.Topic("app.", true, 2),
            new HttpConfig.Topic("app.audit.", true, 0),
            new HttpConfig.Topic("app.log", false, 4));

    @Test
    void letsEveryoneInWithoutAuthentication() throws Refusal {
        Access access = access(Method.NONE, List.of());
        assertThat(access.authenticate(null, null)).isEqualTo(Access.NOBODY);
        assertThat(access.authenticate("Bearer anything", null)).isEqualTo(Access.NOBODY);
        assertThat(access.challenge()).isNull();
    }

    @Test
    void knowsBearersByTheirTokens() throws Refusal {
        Access access = access(Method.BEARER, List.of());
        assertThat(access.authenticate("Bearer t-shop=", null)).isEqualTo("shop");
        assertThat(access.authenticate("bearer  t-new ", null)).isEqualTo("shop");
        assertThat(access.authenticate("BEARER t-billing", null)).isEqualTo("billing");
        assertThat(access.challenge()).isEqualTo("Bearer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer t-shop",
                "Bearer t-shop==",
                "Bearer shop",
                "Bearer T-SHOP=",
                "Bearer t-shop=,t-billing",
                "Basic t-shop=",
                "t-shop="
            })
    void refusesOtherTokens(String authorization) {
        assertThat(refused(Method.BEARER, authorization)).hasMessageNotContaining("shop");
    }

    @Test
    void refusesARequestWithoutCredentials() {
        for (Method method : List.of(Method.BEARER, Method.BASIC, Method.MTLS)) {
            assertRefused(401, 40101, () -> access(method, List.of()).authenticate(null, null));
        }
    }

    @Test
    void knowsNamesByTheirPasswords() throws Refusal {
        Access access = access(Method.BASIC, List.of());
        assertThat(access.authenticate(basic("shop:t-shop="), null)).isEqualTo("shop");
        assertThat(access.authenticate(basic("shop:t-new"), null)).isEqualTo("shop");
        assertThat(access.authenticate(basic("münze:a:ü"), null)).isEqualTo("münze");
        assertThat(access.challenge()).startsWith("Basic realm=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "shop",
                "shop:",
                "shop:t-billing",
                "billing:t-shop=",
                "Shop:t-shop=",
                ":t-shop=",
                "a:b:c"
            })
    void refusesOtherPasswords(String credentials) {
        Refusal ignored = refused(Method.BASIC, basic(credentials));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic", "Basic ", "Basic !!!", "Bearer c2hvcDp0LXNob3A9", "Basic c2hvcDp0LXNob3A9="})
    void refusesWhatIsNotBasic(String authorization) {
        Refusal ignored = refused(Method.BASIC, authorization);
    }

    @Test
    void takesTheSubjectOfACertificate() throws Refusal {
        Access access = access(Method.MTLS, List.of(new Grant(subject("CN=shop,O=Example"), List.of("orders"))));
        String principal = access.authenticate(null, new X500Principal("cn=Shop,  o=example"));
        assertThat(access.topic(principal, "orders").name()).isEqualTo("orders");
        String other = access.authenticate(null, new X500Principal("CN=shop,O=Other"));
        assertRefused(403, 40301, () -> access.topic(other, "orders"));
        assertThat(access.challenge()).isNull();
    }

    @Test
    void findsTheTopicsOfTheList() throws Refusal {
        Access access = access(Method.NONE, List.of());
        assertThat(access.topic("", "orders")).isEqualTo(new Access.Topic("orders", 6));
        assertThat(access.topic("", "app.x")).isEqualTo(new Access.Topic("app.x", 2));
        assertThat(access.topic("", "app.audit.x")).isEqualTo(new Access.Topic("app.audit.x", 0));
        assertThat(access.topic("", "app.log")).isEqualTo(new Access.Topic("app.log", 4));
        assertThat(access.topic("", "app.log2")).isEqualTo(new Access.Topic("app.log2", 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../x",
                "order",
                "orders2",
                "Orders",
                "orders ",
                "orders\n",
                "orders/x",
                "app",
                "app.ü",
                "app.a/b",
                "app.*",
                "__consumer_offsets",
                "__transaction_state"
            })
    void refusesOtherTopics(String name) {
        Refusal refusal =
                assertRefused(404, 40401, () -> access(Method.NONE, List.of()).topic("", name));
        if (name.length() > 2) {
            assertThat(refusal).hasMessageNotContaining(name);
        }
    }

    @Test
    void refusesNamesThatKafkaDoesNotAllow() throws Refusal {
        Access access = access(Method.NONE, List.of());
        assertThat(access.topic("", "app." + "x".repeat(245)).name()).hasSize(249);
        assertRefused(404, 40401, () -> access.topic("", "app." + "x".repeat(246)));
        Access open = new Access(Requests.config(
                List.of(new HttpConfig.Topic("__", true, 0), new HttpConfig.Topic("__x", false, 0)),
                new HttpAuthConfig(Method.NONE, List.of(), List.of(), false)));
        assertRefused(404, 40401, () -> open.topic("", "__consumer_offsets"));
        assertRefused(404, 40401, () -> open.topic("", "__x"));
    }

    @Test
    void keepsPrincipalsToTheirTopics() throws Refusal {
        Access access = access(
                Method.BEARER,
                List.of(
                        new Grant("shop", List.of("orders")),
                        new Grant("shop", List.of("app.audit.*")),
                        new Grant("billing", List.of("*"))));
        assertThat(access.topic("shop", "orders").partitions()).isEqualTo(6);
        assertThat(access.topic("shop", "app.audit.x").name()).isEqualTo("app.audit.x");
        assertRefused(403, 40301, () -> access.topic("shop", "app.log"));
        assertRefused(404, 40401, () -> access.topic("shop", "unlisted"));
        assertThat(access.topic("billing", "app.log").name()).isEqualTo("app.log");
        assertRefused(404, 40401, () -> access.topic("billing", "unlisted"));
        assertRefused(403, 40301, () -> access.topic("nobody", "orders"));
        assertRefused(403, 40301, () -> access.topic(Access.NOBODY, "orders"));
    }

    private static Refusal refused(Method method, String authorization) {
        return assertRefused(401, 40101, () -> access(method, List.of()).authenticate(authorization, null));
    }

    private static Access access(Method method, List<Grant> grants) {
        boolean secrets = method == Method.BEARER || method == Method.BASIC;
        return new Access(Requests.config(
                TOPICS,
                new HttpAuthConfig(
                        method,
                        secrets
                                ? List.of(
                                        new Secret("shop", new Password("t-shop=")),
                                        new Secret("shop", new Password("t-new")),
                                        new Secret("billing", new Password("t-billing")),
                                        new Secret("münze", new Password("a:ü")))
                                : List.of(),
                        grants,
                        false)));
    }

    private static String subject(String name) {
        return HttpAuthConfig.principal(new X500Principal(name));
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }
}
