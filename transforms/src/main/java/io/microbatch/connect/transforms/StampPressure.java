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
 * Adds headers with a record's batch, pressure level and time of arrival in the microbatch connector.
 *
 * <p>Existing headers of these names are replaced, so that the transform may run twice. A record without a batch passes
 * unchanged, and the first one is logged: it comes from another connector, or an earlier transform did not use {@code
 * newRecord}. Headers that are the same for all records of a batch are built once per batch. Task thread.
 *
 * @param <R> the kind of record
 */
public class StampPressure<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {

    /** The description in the documentation. */
    public static final String OVERVIEW_DOC =
            "Add headers to each record of the microbatch source connector: its pressure level, its batch and its "
                    + "position in the batch, the linger, and the time of its arrival.";

    /** The settings: one key for the name of each header. */
    public static final ConfigDef CONFIG_DEF = configDef();

    private static final Logger log = LoggerFactory.getLogger(StampPressure.class);

    private Stamp[] stamps = {};
    private String[] names = {};
    private Set<String> nameSet = Set.of();
    private boolean warned;

    /** The batch that {@link #shared} belongs to. */
    private ReturnedBatch sharedBatch;

    /** Per stamp, the header of all records of the batch, or null if each record has its own. */
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
            throw new ConfigException("All headers are left out: set at least one name, for example with "
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

    @SuppressWarnings("ReferenceEquality") // a batch is one object, compared by identity
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
                    "A record of topic {} passes without headers, and so do later records without a batch. Only "
                            + "records of the microbatch source connector have a batch. A transform that does not use "
                            + "newRecord loses it: put StampPressure before that transform",
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
