package io.microbatch.connect.bulk;

import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** Makes the schema of array elements optional, for arrays in which an element is null. Stateless; any thread. */
final class OptionalSchema {

    private OptionalSchema() {}

    /** The same schema, optional and without a default. */
    static Schema of(Schema schema) {
        SchemaBuilder copy = switch (schema.type()) {
            case ARRAY -> SchemaBuilder.array(schema.valueSchema());
            case MAP -> SchemaBuilder.map(schema.keySchema(), schema.valueSchema());
            default -> new SchemaBuilder(schema.type());
        };
        copy.optional().name(schema.name()).version(schema.version()).doc(schema.doc());
        if (schema.parameters() != null) {
            copy.parameters(schema.parameters());
        }
        if (schema.type() == Schema.Type.STRUCT) {
            schema.fields().forEach(field -> copy.field(field.name(), field.schema()));
        }
        return copy.build();
    }

    /** Replaces structs by copies with this schema, because an array rejects a struct with another one. */
    static void rebindStructs(List<Object> values, Schema schema) {
        values.replaceAll(value -> {
            if (!(value instanceof Struct struct)) {
                return value;
            }
            Struct copy = new Struct(schema);
            for (Field field : schema.fields()) {
                copy.put(field.name(), struct.getWithoutDefault(field.name()));
            }
            return copy;
        });
    }
}
