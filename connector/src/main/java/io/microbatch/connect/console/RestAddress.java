package io.microbatch.connect.console;

import java.net.URI;

/**
 * The address of a worker's REST interface, as an operator names it. A message about it never repeats it, because it
 * may hold a password. Stateless; any thread.
 */
public final class RestAddress {

    private RestAddress() {}

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException what is wrong with it
     */
    public static URI of(String text) {
        URI address;
        try {
            address = URI.create(text);
        } catch (IllegalArgumentException e) {
            address = URI.create("");
        }
        check(address);
        return address;
    }

    /**
     * Accepts an address of HTTP or HTTPS without a user.
     *
     * @throws IllegalArgumentException what is wrong with it
     */
    static void check(URI address) {
        String scheme = address.getScheme();
        if (address.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new IllegalArgumentException("the worker needs an address such as http://worker:8083");
        }
        if (address.getUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the address of the worker takes no user: set " + AuthorizationHeader.VARIABLE);
        }
    }
}
