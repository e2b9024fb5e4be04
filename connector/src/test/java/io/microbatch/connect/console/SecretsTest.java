package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {

    private final Secrets secrets = new Secrets(Set.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "database.password|hunter2",
                "upstream.connector.database.password|hunter2",
                "connection.pwd|hunter2",
                "aws.secret.access.key|AKIA",
                "aws_access_key_id|AKIA",
                "api.key|abc",
                "basic.auth.user.info|me:hunter2",
                "value.converter.basic.auth.user.info|me:hunter2",
                "producer.override.sasl.jaas.config|a.b.PlainLoginModule required;",
                "ssl.keystore.key|abc",
                "github.token|ghp_1",
                "mongodb.connection.string|mongodb://host/db",
                "http.headers|Authorization: Bearer abc",
                "connection.url|jdbc:postgresql://me:hunter2@db/shop",
                "connection.url|jdbc:postgresql://db/shop?user=me&password=hunter2",
                "connection.url|jdbc:sqlserver://db;Password=hunter2",
                "mongodb.connection|mongodb://me:hunter2@db",
                "connection.url|jdbc:oracle:thin:scott/hunter2@//db:1521/ORCL",
                "connection.url|jdbc:oracle:thin:scott/hunter2@db:1521:ORCL",
                "connection.url|jdbc:oracle:oci:scott/hunter2@shop",
                "some.key|-----BEGIN PRIVATE KEY-----",
                "client.properties|{\"user\": \"me\", \"password\": \"hunter2\"}",
                "client.properties|{'access_token' : 'ghp_1'}",
                "transforms.c.cipher_data_keys|[{\"identifier\": \"a\", \"material\": {}}]",
                "encryption.key|AAECAw",
                "sas.url|https://store/box?sig=abc",
                // A part of it is a reference, and the rest is still a secret.
                "database.password|${file:/run/x:prefix}hunter2",
                "connection.url|jdbc:postgresql://me:hunter2@${env:DB_HOST}/shop",
            })
    void hidesWhatIsASecret(String key, String value) {
        assertThat(secrets.hides(key, value)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "database.hostname|db.example",
                "database.password|${file:/run/secrets/shop:password}",
                "connection.url|jdbc:postgresql://db:5432/shop",
                "connection.url|jdbc:oracle:thin:@//db:1521/ORCL",
                "connection.url|jdbc:oracle:thin:@db:1521:ORCL",
                "connection.url|${env:JDBC_URL}",
                "topic.prefix|shop",
                "transforms.a.type|io.debezium.transforms.ExtractNewRecordState",
                "key.converter|org.apache.kafka.connect.json.JsonConverter",
                "table.include.list|public.orders",
                "poll.interval.ms|500",
                "message.key.columns|public.orders:id",
                "transforms.k.type|org.apache.kafka.connect.transforms.ValueToKey",
            })
    void showsTheRest(String key, String value) {
        assertThat(secrets.hides(key, value)).isFalse();
    }

    @Test
    void hidesWhatTheConnectorDefinesAsAPassword() {
        assertThat(secrets.hides("entry.code", "1234")).isFalse();
        assertThat(new Secrets(Set.of("entry.code")).hides("entry.code", "1234"))
                .isTrue();
        assertThat(new Secrets(Set.of("entry.code")).hides("entry.code", "${file:/run/x:code}"))
                .isFalse();
    }
}
