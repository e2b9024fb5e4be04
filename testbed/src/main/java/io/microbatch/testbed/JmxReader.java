package io.microbatch.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.kafka.common.utils.Sanitizer;

/**
 * Reads metrics of a broker or worker. Connects at the first use and again after a restart of the process. While the
 * process does not respond, all metrics are absent. Used by one thread at a time.
 */
public final class JmxReader implements Closeable {

    /**
     * The logger of the JDK's client, which warns of every ended process. Tests end processes on purpose. Held, because
     * a collected logger loses its level.
     */
    private static final Logger log = Logger.getLogger("javax.management.remote.misc");

    static {
        log.setLevel(Level.SEVERE);
    }

    private final JMXServiceURL url;
    private JMXConnector connector;

    JmxReader(int port) {
        try {
            url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + Ports.HOST + ":" + port + "/jmxrmi");
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The options with which a JVM serves JMX on this port. */
    static List<String> serverOptions(int port) {
        String prefix = "-Dcom.sun.management.jmxremote";
        return List.of(
                prefix + ".port=" + port,
                prefix + ".rmi.port=" + port,
                prefix + ".host=" + Ports.HOST,
                prefix + ".authenticate=false",
                prefix + ".ssl=false",
                "-Djava.rmi.server.hostname=" + Ports.HOST);
    }

    /** A value in the form that Kafka uses in object names: quoted only if it has characters that require it. */
    public static String tag(String value) {
        return Sanitizer.jmxSanitize(value);
    }

    /**
     * The attribute of every matching MBean that has it, by canonical name.
     *
     * @param pattern such as {@code kafka.connect:type=source-task-metrics,connector=name,*}; see {@link #tag}
     */
    public Map<String, Object> attributes(String pattern, String attribute) {
        Map<String, Object> values = new TreeMap<>();
        try {
            MBeanServerConnection server = connection();
            for (ObjectName name : server.queryNames(new ObjectName(pattern), null)) {
                try {
                    values.put(name.getCanonicalName(), server.getAttribute(name, attribute));
                } catch (AttributeNotFoundException | InstanceNotFoundException | RuntimeMBeanException e) {
                    // The MBean is gone or incomplete: the state of a task that is being registered is null.
                    continue;
                }
            }
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(pattern, e);
        } catch (IOException e) {
            close();
        } catch (JMException e) {
            throw new IllegalStateException("cannot read " + attribute + " of " + pattern, e);
        }
        return values;
    }

    /** The numeric attribute of the first matching MBean that has it. Empty if there is none. */
    public OptionalDouble number(String pattern, String attribute) {
        return attributes(pattern, attribute).values().stream()
                .filter(Number.class::isInstance)
                .mapToDouble(value -> ((Number) value).doubleValue())
                .findFirst();
    }

    /**
     * The numeric attributes of the first matching MBean that has at least one of them, in one call. Empty if there is
     * none.
     */
    public Map<String, Double> numbers(String pattern, String... attributes) {
        Map<String, Double> values = new TreeMap<>();
        try {
            MBeanServerConnection server = connection();
            for (ObjectName name : server.queryNames(new ObjectName(pattern), null)) {
                for (Attribute each : server.getAttributes(name, attributes).asList()) {
                    if (each.getValue() instanceof Number number) {
                        values.put(each.getName(), number.doubleValue());
                    }
                }
                if (!values.isEmpty()) {
                    return values;
                }
            }
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(pattern, e);
        } catch (InstanceNotFoundException e) {
            // The MBean is gone since the query.
            return Map.of();
        } catch (IOException e) {
            close();
        } catch (JMException e) {
            throw new IllegalStateException("cannot read " + pattern, e);
        }
        return values;
    }

    /**
     * Every attribute of every MBean as text, by object name and attribute, without unreadable ones. A test uses it to
     * prove that a text occurs in none of them.
     */
    public Map<String, String> everything() {
        Map<String, String> texts = new TreeMap<>();
        try {
            MBeanServerConnection server = connection();
            for (ObjectName name : server.queryNames(null, null)) {
                try {
                    readAll(server, name, texts);
                } catch (InstanceNotFoundException e) {
                    // The MBean is gone since the query.
                    continue;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (JMException e) {
            throw new IllegalStateException("cannot read all attributes", e);
        }
        return texts;
    }

    private static void readAll(MBeanServerConnection server, ObjectName name, Map<String, String> texts)
            throws JMException, IOException {
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
            try {
                Object value = server.getAttribute(name, attribute.getName());
                // In an array, because the value may be an array itself.
                texts.put(name + " " + attribute.getName(), Arrays.deepToString(new Object[] {value}));
            } catch (JMException | RuntimeMBeanException | MarshalException | UnmarshalException e) {
                // Not supported by this JVM, of a class that only the process has, or gone.
                continue;
            }
        }
    }

    /**
     * Executes a diagnostic command of the process's JVM without arguments, and returns its text.
     *
     * @param command as the MBean names it, such as {@code gcClassHistogram}, which also collects all garbage
     * @throws IllegalStateException if the JVM does not have the command
     */
    public String diagnostic(String command) {
        Object[] noArguments = {new String[0]};
        String[] signature = {String[].class.getName()};
        try {
            ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            return (String) connection().invoke(commands, command, noArguments, signature);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (JMException e) {
            throw new IllegalStateException("cannot execute " + command, e);
        }
    }

    @Override
    public void close() {
        JMXConnector current = connector;
        connector = null;
        if (current != null) {
            try {
                current.close();
            } catch (IOException e) {
                // The process has ended, and the connection with it.
                return;
            }
        }
    }

    private MBeanServerConnection connection() throws IOException {
        if (connector == null) {
            connector = JMXConnectorFactory.connect(url);
        }
        return connector.getMBeanServerConnection();
    }
}
