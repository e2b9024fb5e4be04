package io.microbatch.connect.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** The address of a server, which is never looked up. Stateless; any thread. */
public final class HttpAddress {

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private HttpAddress() {}

    static boolean check(Object value) {
        String text = (String) value;
        return text.equals("localhost") || literal(text) != null;
    }

    /** Whether the text is an address that only this machine reaches. A name other than localhost is none. */
    public static boolean isLoopback(String text) {
        InetAddress address = literal(text);
        return text.equals("localhost") || (address != null && address.isLoopbackAddress());
    }

    /** The address that the text is. Null for a name, because looking it up may wait. */
    private static InetAddress literal(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return null;
        }
        for (String part : text.split("[.:]", -1)) {
            // Otherwise 999.1.1.1 would be looked up as a name.
            if (text.indexOf(':') < 0 && Integer.parseInt(part) > 255) {
                return null;
            }
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
