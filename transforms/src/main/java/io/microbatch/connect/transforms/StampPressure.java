package io.microbatch.connect.transforms;

import io.microbatch.connect.common.Version;
import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.transforms.Transformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds headers that say in which batch, under which pressure and when an event went through the microbatch connector.
 *
 * <p>Headers of these names are replaced, so that a second run changes nothing. A record that knows no batch passes as
 * it is, with one warning: it is of another connector, or a transform in front has built it by itself rather than by
 * {@code newRecord}. Task thread; one object a record beyond its headers, and those that a batch has in common are
 * built once a batch.
 *
 * @param <R> the kind of record
 */
public class StampPressure<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {

    /** What it does. */
    public static final String OVERVIEW_DOC =
            "Add headers to each record of the microbatch source connector: its pressure level, its batch "
                    + "and its place in it, the linger, and when it arrived.";

    /** A key for the name of each header. */
    public static final ConfigDef CONFIG_DEF = configDef();

    private static final Logger log = LoggerFactory.getLogger(StampPressure.class);

    private Stamp[] stamps = {};
    private String[] names = {};
    private Set<String> nameSet = Set.of();
    private boolean warned;

    /** The batch that {@link #shared} belongs to. */
    private ReturnedBatch sharedBatch;

    /** By stamp, the header that all events of the batch get; null where each has its own. */
    private Header[] shared = {};

    private static ConfigDef configDef() {
        ConfigDef def = new ConfigDef();
        for (Stamp stamp : Stamp.values()) {
            def.define(stamp.key(), Type.STRING, stamp.defaultHeader(), Importance.MEDIUM, stamp.doc());
        }
        return def;
    }

    @Override
    public void configure(Map<String, ?> configs) {
        AbstractConfig config = new AbstractConfig(CONFIG_DEF, configs, false);
        List<Stamp> wanted = new ArrayList<>();
        List<String> wantedNames = new ArrayList<>();
        for (Stamp stamp : Stamp.values()) {
            String name = config.getString(stamp.key());
            if (name == null || name.isBlank()) {
                continue;
            }
            if (wantedNames.contains(name)) {
                throw new ConfigException(stamp.key() + " and "
                        + wanted.get(wantedNames.indexOf(name)).key() + " name the same header: choose two names");
            }
            wanted.add(stamp);
            wantedNames.add(name);
        }
        if (wanted.isEmpty()) {
            throw new ConfigException("Every header is left out: name one at least, for instance with "
                    + Stamp.LEVEL.key() + ", or remove the transform");
        }
        stamps = wanted.toArray(new Stamp[0]);
        names = wantedNames.toArray(new String[0]);
        nameSet = new HashSet<>(wantedNames);
        shared = new Header[stamps.length];
        sharedBatch = null;
    }

    @Override
    public R apply(R record) {
        if (!(record instanceof BatchMember event) || event.batch() == null) {
            warnOnce(record);
            return record;
        }
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                record.keySchema(),
                record.key(),
                record.valueSchema(),
                record.value(),
                record.timestamp(),
                stamped(event, record.headers()));
    }

    @SuppressWarnings("ReferenceEquality") // one object a batch, and nothing in it to compare
    private Headers stamped(BatchMember event, Headers before) {
        if (event.batch() != sharedBatch) {
            share(event.batch());
        }
        ConnectHeaders after = new ConnectHeaders();
        if (!before.isEmpty()) {
            for (Header header : before) {
                if (!nameSet.contains(header.key())) {
                    after.add(header);
                }
            }
        }
        for (int i = 0; i < stamps.length; i++) {
            if (shared[i] != null) {
                after.add(shared[i]);
            } else {
                after.add(names[i], new SchemaAndValue(stamps[i].schema(), stamps[i].of(event)));
            }
        }
        return after;
    }

    private void share(ReturnedBatch batch) {
        ConnectHeaders built = new ConnectHeaders();
        for (int i = 0; i < stamps.length; i++) {
            if (stamps[i].isOfBatch()) {
                built.add(names[i], new SchemaAndValue(stamps[i].schema(), stamps[i].of(batch)));
                shared[i] = built.lastWithName(names[i]);
            }
        }
        sharedBatch = batch;
    }

    private void warnOnce(R record) {
        if (!warned) {
            warned = true;
            log.warn(
                    "A record of topic {} passes unstamped, as will others that know no batch. Only records of the "
                            + "microbatch source connector know one, and lose it in a transform that does not make its "
                            + "records with newRecord: put StampPressure in front of that one",
                    record.topic());
        }
    }

    @Override
    public ConfigDef config() {
        return CONFIG_DEF;
    }

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public void close() {
        sharedBatch = null;
    }
}
