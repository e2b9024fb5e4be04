package io.microbatch.connect.config;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * The JDBC URL of the outbox upstream. The driver's parameters can name classes to load and files to write, and a
 * connector's configuration comes over REST. So only parameters that do neither are allowed. Stateless; any thread.
 */
final class OutboxUrl {

    static final String ALLOWED = "jdbc:postgresql://host:port,host:port/database, with these parameters only: "
            + "ApplicationName, connectTimeout, currentSchema, hostRecheckSeconds, loadBalanceHosts, "
            + "prepareThreshold, socketTimeout, sslmode";

    private static final Set<String> PARAMETERS = Set.of(
            "ApplicationName",
            "connectTimeout",
            "currentSchema",
            "hostRecheckSeconds",
            "loadBalanceHosts",
            "prepareThreshold",
            "socketTimeout",
            "sslmode");

    private static final String HOST = "([a-zA-Z0-9._-]+|\\[[0-9a-fA-F:.]+])(:[0-9]{1,5})?";
    private static final Pattern URL =
            Pattern.compile("jdbc:postgresql://" + HOST + "(," + HOST + ")*/[a-zA-Z0-9_.$%-]+(\\?([^?]*))?");
    private static final Pattern PARAMETER = Pattern.compile("([a-zA-Z]+)=[a-zA-Z0-9_.,-]+");
    private static final int PARAMETERS_GROUP = 7;

    private OutboxUrl() {}

    static boolean isAllowed(String url) {
        var matcher = URL.matcher(url);
        if (!matcher.matches()) {
            return false;
        }
        String parameters = matcher.group(PARAMETERS_GROUP);
        if (parameters == null || parameters.isEmpty()) {
            return true;
        }
        for (String each : parameters.split("&", -1)) {
            var parameter = PARAMETER.matcher(each);
            if (!parameter.matches() || !PARAMETERS.contains(parameter.group(1))) {
                return false;
            }
        }
        return true;
    }
}
