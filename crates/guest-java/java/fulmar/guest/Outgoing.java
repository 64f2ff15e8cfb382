package fulmar.guest;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Values of Java's become those of a message; what has no counterpart in JavaScript stays here, as a handle. */
final class Outgoing {
    private final Client client;
    private final Writer writer;
    /** Numbers of the handles of the message. */
    private List<Long> kept;

    Outgoing(Client client, Writer writer) {
        this.client = client;
        this.writer = writer;
    }

    void value(Object value) {
        value(value, 0);
    }

    /** As a handle, whatever it is but nothing. */
    void handle(Object value) {
        if (value == null) {
            writer.put(Tag.NULL);
            return;
        }
        long number = client.keep(value);
        if (kept == null) kept = new ArrayList<>();
        kept.add(number);
        writer.handle(number, Names.of(value));
    }

    /** The message is not sent: nobody else lets go of its handles. */
    void takeBack() {
        if (kept != null) kept.forEach(client::release);
        kept = null;
    }

    private void value(Object value, int depth) {
        if (depth > Tag.DEPTH_MAX)
            throw Refusal.value("the result is nested deeper than " + Tag.DEPTH_MAX + " levels, or contains itself");
        if (value == null) writer.put(Tag.NULL);
        else if (value instanceof String) writer.text((String) value);
        else if (value instanceof Number) number((Number) value);
        else if (value instanceof Boolean) writer.bool((Boolean) value);
        else if (value instanceof Map) map((Map<?, ?>) value, depth);
        else if (value instanceof List) list((Collection<?>) value, Tag.LIST, depth);
        else if (value instanceof Set) list((Collection<?>) value, Tag.SET, depth);
        else if (value instanceof Collection) list((Collection<?>) value, Tag.LIST, depth);
        else if (value.getClass().isArray()) array(value, depth);
        else rare(value, depth);
    }

    private void number(Number value) {
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte)
            writer.integer(value.longValue());
        else if (value instanceof Double) writer.real(value.doubleValue());
        // The number that its digits say, not the one that its bits do: 0.1f is 0.1.
        else if (value instanceof Float) writer.real(Double.parseDouble(value.toString()));
        else if (value.getClass() == BigInteger.class) big((BigInteger) value);
        else if (value.getClass() == BigDecimal.class) {
            writer.put(Tag.DECIMAL);
            writer.plainText(value.toString());
        } else handle(value);
    }

    private void big(BigInteger value) {
        if (value.bitLength() < Long.SIZE) writer.integer(value.longValue());
        else writer.big(value);
    }

    /** A map may change while it is written: what counts is what is there now. */
    private void map(Map<?, ?> map, int depth) {
        List<Object> flat = new ArrayList<>(map.size() * 2);
        boolean isObject = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            isObject &= entry.getKey() instanceof String;
            flat.add(entry.getKey());
            flat.add(entry.getValue());
        }
        writer.begin(isObject ? Tag.OBJECT : Tag.MAP, flat.size() / 2);
        for (int at = 0; at < flat.size(); at += 2) {
            if (isObject) writer.plainText((String) flat.get(at));
            else value(flat.get(at), depth + 1);
            value(flat.get(at + 1), depth + 1);
        }
    }

    private void list(Collection<?> list, int tag, int depth) {
        Object[] items = list.toArray();
        writer.begin(tag, items.length);
        for (Object item : items) value(item, depth + 1);
    }

    private void array(Object value, int depth) {
        if (value instanceof byte[]) {
            writer.block((byte[]) value);
        } else if (value instanceof char[]) {
            writer.text(new String((char[]) value));
        } else if (value instanceof boolean[] || value instanceof Object[]) {
            int length = Array.getLength(value);
            writer.begin(Tag.LIST, length);
            for (int index = 0; index < length; index += 1) value(Array.get(value, index), depth + 1);
        } else {
            numbers(value);
        }
    }

    private void numbers(Object value) {
        int[] shape = {Array.getLength(value)};
        int element = elementOf(value);
        byte[] data = new byte[Math.multiplyExact(shape[0], Tag.Element.BYTES[element])];
        ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        if (value instanceof short[]) buffer.asShortBuffer().put((short[]) value);
        else if (value instanceof int[]) buffer.asIntBuffer().put((int[]) value);
        else if (value instanceof long[]) buffer.asLongBuffer().put((long[]) value);
        else if (value instanceof float[]) buffer.asFloatBuffer().put((float[]) value);
        else buffer.asDoubleBuffer().put((double[]) value);
        writer.array(element, shape, data);
    }

    private static int elementOf(Object value) {
        if (value instanceof short[]) return Tag.Element.INT16;
        if (value instanceof int[]) return Tag.Element.INT32;
        if (value instanceof long[]) return Tag.Element.INT64;
        return value instanceof float[] ? Tag.Element.FLOAT32 : Tag.Element.FLOAT64;
    }

    private void rare(Object value, int depth) {
        Object own = References.unwrap(value);
        if (own != null) {
            writer.reference(References.idOf(own, client));
        } else if (value instanceof NumberArray) {
            NumberArray array = (NumberArray) value;
            writer.array(array.element, array.shape, array.data);
        } else if (value instanceof Enum) {
            writer.text(((Enum<?>) value).name());
        } else if (isText(value)) {
            writer.text(value.toString());
        } else if (value instanceof ByteBuffer) {
            ByteBuffer view = ((ByteBuffer) value).duplicate();
            byte[] bytes = new byte[view.remaining()];
            view.get(bytes);
            writer.block(bytes);
        } else if (value instanceof Map.Entry) {
            writer.begin(Tag.LIST, 2);
            value(((Map.Entry<?, ?>) value).getKey(), depth + 1);
            value(((Map.Entry<?, ?>) value).getValue(), depth + 1);
        } else if (!time(value) && !optional(value, depth)) {
            Map<String, Object> components = Records.values(value);
            if (components != null) map(components, depth);
            else handle(value);
        }
    }

    private static boolean isText(Object value) {
        return value instanceof Character
                || value instanceof UUID
                || value instanceof URI
                || value instanceof URL
                || value instanceof Path;
    }

    private boolean time(Object value) {
        if (value instanceof Instant) writer.date(ms((Instant) value));
        else if (value instanceof Date) writer.date(((Date) value).getTime());
        else if (value instanceof Calendar) writer.date(((Calendar) value).getTimeInMillis());
        else if (value instanceof ZonedDateTime) writer.date(ms(((ZonedDateTime) value).toInstant()));
        else if (value instanceof OffsetDateTime) writer.date(ms(((OffsetDateTime) value).toInstant()));
        else if (value instanceof LocalDateTime)
            writer.date(ms(((LocalDateTime) value).atZone(ZoneId.systemDefault()).toInstant()));
        // A date without a time, a time without a date: JavaScript has none.
        else if (value instanceof TemporalAccessor) writer.text(value.toString());
        else return false;
        return true;
    }

    private static double ms(Instant instant) {
        try {
            return instant.toEpochMilli();
        } catch (ArithmeticException tooLarge) {
            throw Refusal.value("a time that JavaScript has none for: " + instant);
        }
    }

    private boolean optional(Object value, int depth) {
        if (value instanceof Optional) value(((Optional<?>) value).orElse(null), depth + 1);
        else if (value instanceof OptionalInt)
            value(((OptionalInt) value).isPresent() ? (Object) ((OptionalInt) value).getAsInt() : null, depth + 1);
        else if (value instanceof OptionalLong)
            value(((OptionalLong) value).isPresent() ? (Object) ((OptionalLong) value).getAsLong() : null, depth + 1);
        else if (value instanceof OptionalDouble)
            value(((OptionalDouble) value).isPresent() ? (Object) ((OptionalDouble) value).getAsDouble() : null, depth + 1);
        else return false;
        return true;
    }
}
