package io.microbatch.connect.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as maps, lists, texts, numbers, booleans and nulls. A number that is not finite is written as null. Stateless;
 * any thread.
 */
public final class Json {

    private static final int MAX_DEPTH = 32;
    private static final int MAX_NUMBER_CHARS = 100;
    private static final int MAX_TEXT_CHARS = 1 << 20;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_NUMBER_CHARS)
                    .maxStringLength(MAX_TEXT_CHARS)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            // The default pool is a thread-local, which would keep our class loader in threads of the worker.
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .build();

    private Json() {}

    /** Writes a tree of maps, lists, texts, numbers, booleans and nulls. */
    public static byte[] write(Object tree) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            write(out, tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator out, Object tree) throws IOException {
        if (tree instanceof Map<?, ?> map) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName(entry.getKey().toString());
                write(out, entry.getValue());
            }
            out.writeEndObject();
        } else if (tree instanceof Iterable<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                write(out, element);
            }
            out.writeEndArray();
        } else {
            writeValue(out, tree);
        }
    }

    private static void writeValue(JsonGenerator out, Object value) throws IOException {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value instanceof Integer || value instanceof Long) {
            out.writeNumber(((Number) value).longValue());
        } else if (value instanceof Number number) {
            double wide = number.doubleValue();
            if (Double.isFinite(wide)) {
                out.writeNumber(wide);
            } else {
                out.writeNull();
            }
        } else {
            out.writeString(value.toString());
        }
    }

    /**
     * Reads one value.
     *
     * @throws IOException if the bytes are not JSON, or too deep. It quotes nothing of them
     */
    public static Object read(byte[] bytes) throws IOException {
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new IOException("there is no JSON");
            }
            return read(parser);
        } catch (StreamConstraintsException e) {
            // It names the limit.
            throw e;
        } catch (JsonProcessingException e) {
            // Its text quotes what it does not understand, which may be a password.
            JsonLocation at = e.getLocation();
            throw new IOException("not JSON" + (at == null ? "" : ": see line " + at.getLineNr()));
        }
    }

    private static Object read(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    JsonToken ignored = parser.nextToken();
                    map.put(name, read(parser));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(read(parser));
                }
                yield list;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? (Object) parser.getDoubleValue()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IOException("unexpected " + parser.currentToken());
        };
    }

    /** The objects in the list that a field holds. Empty if there is no such list. */
    public static List<Map<String, Object>> objects(Object tree, String field) {
        List<Map<String, Object>> objects = new ArrayList<>();
        if (tree instanceof Map<?, ?> map && map.get(field) instanceof List<?> list) {
            list.forEach(element -> objects.add(object(element)));
        }
        return objects;
    }

    /** The fields of an object. Empty if it is none. */
    public static Map<String, Object> object(Object tree) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (tree instanceof Map<?, ?> map) {
            map.forEach((name, value) -> fields.put(name.toString(), value));
        }
        return fields;
    }
}
