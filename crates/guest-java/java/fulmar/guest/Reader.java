package fulmar.guest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A message to Java: its parts and values. Nothing is allocated for a count before it is held against what is left. */
final class Reader {
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle FLOAT = view(float[].class);
    private static final VarHandle DOUBLE = view(double[].class);
    private static final int[] PACKED_BYTES = {1, 2, 4, 4, 8};

    private final Client client;
    private final byte[] bytes;
    private final int end;
    private final Object[] attached;
    private int at;

    /** @param attached large values (`byte[]`), by position; null: none */
    Reader(Client client, byte[] bytes, int end, Object[] attached) {
        this.client = client;
        this.bytes = bytes;
        this.end = end;
        this.attached = attached;
    }

    private static VarHandle view(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
    }

    private int take(int count) {
        if (count < 0 || count > end - at) throw Refusal.value("a message that ends within a value");
        int from = at;
        at += count;
        return from;
    }

    int unsigned() {
        return bytes[take(1)] & 0xff;
    }

    /** A count, a length or an id. */
    long id() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int part = unsigned();
            value |= (long) (part & 0x7f) << shift;
            if (part < 0x80) return value;
        }
        throw Refusal.value("a count of more than nine bytes");
    }

    int size() {
        long size = id();
        if (size > Integer.MAX_VALUE) throw Refusal.value("a value of more than Java can hold: 2 GB");
        return (int) size;
    }

    /** A count of things that take a byte each at least. */
    int count() {
        int count = size();
        if (count > end - at) throw Refusal.value("a count of more than the message has");
        return count;
    }

    /** A text without its tag. */
    String text() {
        int size = size();
        int from = take(size / 2);
        if (size % 2 == 1)
            throw Refusal.value(
                    "a text with half a character (a lone surrogate), which no other language has: toWellFormed() replaces it");
        return new String(bytes, from, size / 2, StandardCharsets.UTF_8);
    }

    Object value() {
        return value(0);
    }

    Object[] values() {
        Object[] values = new Object[count()];
        for (int index = 0; index < values.length; index += 1) values[index] = value(0);
        return values;
    }

    private Object value(int depth) {
        if (depth > Tag.DEPTH_MAX) throw Refusal.value("a value nested deeper than " + Tag.DEPTH_MAX + " levels");
        int head = unsigned();
        if (head < Tag.INT16) return head + Tag.INLINE_MIN;
        switch (head) {
            case Tag.INT16:
                return (int) (short) SHORT.get(bytes, take(2));
            case Tag.INT32:
                return (int) INT.get(bytes, take(4));
            case Tag.INT64:
                return narrow((long) LONG.get(bytes, take(8)));
            case Tag.FLOAT32:
                return number((float) FLOAT.get(bytes, take(4)));
            case Tag.FLOAT64:
                return number((double) DOUBLE.get(bytes, take(8)));
            case Tag.NULL:
            case Tag.UNDEFINED:
                return null;
            case Tag.FALSE:
                return Boolean.FALSE;
            case Tag.TRUE:
                return Boolean.TRUE;
            case Tag.TEXT:
            case Tag.URL:
                return text();
            case Tag.LIST:
                return list(depth);
            case Tag.NUMBERS:
                return numbers();
            case Tag.OBJECT:
                return members(depth);
            default:
                return rare(head, depth);
        }
    }

    private Object rare(int head, int depth) {
        switch (head) {
            case Tag.BIGINT:
                return bigint();
            case Tag.DATE:
                return instant((double) DOUBLE.get(bytes, take(8)));
            case Tag.BYTES:
            case Tag.ATTACHED:
                return block(head);
            case Tag.SET:
                return set(depth);
            case Tag.MAP:
                return map(depth);
            case Tag.DECIMAL:
                return decimal(text());
            case Tag.ARRAY:
                return array();
            case Tag.HANDLE:
                return client.handle(id());
            case Tag.REFERENCE:
                return References.borrow(client, id(), unsigned() == 1);
            default:
                throw Refusal.value("a value of an unknown kind");
        }
    }

    /** An integer where it is one that others cannot be taken for; a JavaScript number does not say which it is. */
    private static Object number(double value) {
        if (Math.rint(value) != value || Math.abs(value) > Tag.SAFE_INTEGER_MAX) return value;
        if (value == 0 && 1 / value < 0) return value;
        return narrow((long) value);
    }

    private static Object narrow(long value) {
        if (value == (int) value) return (int) value;
        return value;
    }

    private List<Object> list(int depth) {
        int count = count();
        List<Object> list = new ArrayList<>(count);
        for (int index = 0; index < count; index += 1) list.add(value(depth + 1));
        return list;
    }

    private List<Object> numbers() {
        int count = count();
        List<Object> list = new ArrayList<>(count);
        if (count == 0) return list;
        int form = unsigned();
        if (form >= PACKED_BYTES.length) throw Refusal.value("numbers of an unknown form");
        int each = PACKED_BYTES[form];
        if ((long) count * each > end - at) throw Refusal.value("a message that ends within a value");
        for (int index = 0; index < count; index += 1) list.add(packed(form, take(each)));
        return list;
    }

    private Object packed(int form, int from) {
        switch (form) {
            case 0:
                return (int) bytes[from];
            case 1:
                return (int) (short) SHORT.get(bytes, from);
            case 2:
                return (int) INT.get(bytes, from);
            case 3:
                return number((float) FLOAT.get(bytes, from));
            default:
                return number((double) DOUBLE.get(bytes, from));
        }
    }

    /** Pairs of a text and a value. */
    Map<String, Object> members(int depth) {
        int count = count();
        Map<String, Object> map = new LinkedHashMap<>(count * 2);
        for (int index = 0; index < count; index += 1) {
            String name = text();
            map.put(name, value(depth + 1));
        }
        return map;
    }

    private Set<Object> set(int depth) {
        int count = count();
        Set<Object> set = new LinkedHashSet<>(count * 2);
        for (int index = 0; index < count; index += 1) set.add(value(depth + 1));
        return set;
    }

    private Map<Object, Object> map(int depth) {
        int count = count();
        Map<Object, Object> map = new LinkedHashMap<>(count * 2);
        for (int index = 0; index < count; index += 1) {
            Object key = value(depth + 1);
            map.put(key, value(depth + 1));
        }
        return map;
    }

    private Object bigint() {
        int size = size();
        int length = size / 2;
        int from = take(length);
        byte[] magnitude = new byte[length];
        for (int index = 0; index < length; index += 1) magnitude[index] = bytes[from + length - 1 - index];
        BigInteger value = new BigInteger(size % 2 == 1 ? -1 : 1, magnitude);
        return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
    }

    private static Instant instant(double ms) {
        return Instant.ofEpochMilli((long) Math.floor(ms));
    }

    private static Object decimal(String text) {
        if (text.endsWith("NaN") || text.endsWith("Infinity")) return Double.valueOf(text);
        return new BigDecimal(text);
    }

    private byte[] block(int head) {
        int size = size();
        if (head == Tag.BYTES) {
            int from = take(size);
            return Arrays.copyOfRange(bytes, from, from + size);
        }
        if (head != Tag.ATTACHED) throw Refusal.value("bytes that are none");
        if (attached == null || size >= attached.length) throw Refusal.value("an attached value that is not there");
        return (byte[]) attached[size];
    }

    private Object array() {
        int element = unsigned();
        if (element >= Tag.Element.BYTES.length) throw Refusal.value("an array of unknown elements");
        int[] shape = new int[count()];
        long length = Tag.Element.BYTES[element];
        for (int index = 0; index < shape.length; index += 1) {
            shape[index] = size();
            length = Math.multiplyExact(length, Math.max(shape[index], 0));
        }
        byte[] data = block(unsigned());
        if (length != data.length) throw Refusal.value("an array whose shape does not fit its data");
        return NumberArray.read(element, shape, data);
    }
}
