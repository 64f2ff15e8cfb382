package fulmar.guest;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A message to JavaScript: bytes, and large blocks beside them. Knows no value but the plain ones; see `Outgoing`. */
final class Writer {
    /** From here on bytes are attached: given to JavaScript as they are, without another copy. */
    private static final int ATTACH_BYTES_MIN = 16 * 1024;

    private static final int START_BYTES = 1024;
    /** A larger place is not kept for the next message. */
    private static final int KEPT_BYTES_MAX = 64 * 1024;

    private static final int BYTES_MAX = Integer.MAX_VALUE - 16;
    private static final ThreadLocal<Writer> FREE = new ThreadLocal<>();

    private byte[] bytes = new byte[START_BYTES];
    private int length;
    private List<byte[]> attached;

    private Writer() {}

    /** A message that begins so. Values that are written may come here again: they get a place of their own. */
    static Writer starting(int kind, long id) {
        Writer writer = FREE.get();
        if (writer == null) writer = new Writer();
        else FREE.set(null);
        writer.length = 0;
        writer.attached = null;
        writer.put(kind);
        writer.id(id);
        return writer;
    }

    /** For the next message of this thread. */
    void rest() {
        attached = null;
        if (bytes.length <= KEPT_BYTES_MAX) FREE.set(this);
    }

    void reply(long client) {
        Native.reply(client, bytes, length, blocks());
    }

    byte[][] call(long client, long number) {
        return Native.call(client, number, bytes, length, blocks());
    }

    private byte[][] blocks() {
        return attached == null ? null : attached.toArray(new byte[0][]);
    }

    private void room(int count) {
        if (count <= bytes.length - length) return;
        long needed = (long) length + count;
        if (needed > BYTES_MAX) throw Refusal.value("a result of more than 2 GB");
        bytes = Arrays.copyOf(bytes, (int) Math.min(BYTES_MAX, Math.max(needed, (long) bytes.length * 2)));
    }

    void put(int value) {
        if (length == bytes.length) room(1);
        bytes[length++] = (byte) value;
    }

    private void little(long value, int count) {
        room(count);
        long rest = value;
        for (int index = 0; index < count; index += 1) {
            bytes[length++] = (byte) rest;
            rest >>>= Byte.SIZE;
        }
    }

    /** A count, a length or an id. */
    void id(long value) {
        long rest = value;
        while (rest >= 0x80) {
            put((int) rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        put((int) rest);
    }

    /** A container of so many. */
    void begin(int tag, int count) {
        put(tag);
        id(count);
    }

    void bool(boolean value) {
        put(value ? Tag.TRUE : Tag.FALSE);
    }

    void integer(long value) {
        if (value >= Tag.INLINE_MIN && value <= Tag.INLINE_MAX) {
            put((int) value - Tag.INLINE_MIN);
        } else if (value == (short) value) {
            put(Tag.INT16);
            little(value, 2);
        } else if (value == (int) value) {
            put(Tag.INT32);
            little(value, 4);
        } else {
            put(Tag.INT64);
            little(value, 8);
        }
    }

    void real(double value) {
        put(Tag.FLOAT64);
        little(Double.doubleToRawLongBits(value), 8);
    }

    /** Milliseconds since 1970 in UTC. */
    void date(double ms) {
        put(Tag.DATE);
        little(Double.doubleToRawLongBits(ms), 8);
    }

    void big(BigInteger value) {
        byte[] magnitude = value.abs().toByteArray();
        put(Tag.BIGINT);
        id(magnitude.length * 2L + (value.signum() < 0 ? 1 : 0));
        room(magnitude.length);
        for (int index = magnitude.length - 1; index >= 0; index -= 1) bytes[length++] = magnitude[index];
    }

    /** A text without its tag. */
    void plainText(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        // Java would write half a character as a question mark.
        if (hasHalf(text)) throw Refusal.value("a text with half a character (a lone surrogate), which no other language has");
        if (encoded.length > BYTES_MAX / 2) throw Refusal.value("a text of more than 1 GB");
        id(encoded.length * 2L);
        room(encoded.length);
        System.arraycopy(encoded, 0, bytes, length, encoded.length);
        length += encoded.length;
    }

    private static boolean hasHalf(String text) {
        for (int at = 0; at < text.length(); at += 1) {
            char unit = text.charAt(at);
            if (!Character.isSurrogate(unit)) continue;
            boolean isPair = Character.isHighSurrogate(unit) && at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
            if (!isPair) return true;
            at += 1;
        }
        return false;
    }

    void text(String text) {
        put(Tag.TEXT);
        plainText(text);
    }

    void block(byte[] block) {
        if (block.length < ATTACH_BYTES_MIN) {
            begin(Tag.BYTES, block.length);
            room(block.length);
            System.arraycopy(block, 0, bytes, length, block.length);
            length += block.length;
            return;
        }
        if (attached == null) attached = new ArrayList<>();
        begin(Tag.ATTACHED, attached.size());
        attached.add(block);
    }

    /** An array of numbers with its shape, in the order of C, little-endian. */
    void array(int element, int[] shape, byte[] data) {
        put(Tag.ARRAY);
        put(element);
        id(shape.length);
        for (int size : shape) id(size);
        block(data);
    }

    /** An object that stays here. */
    void handle(long id, String name) {
        put(Tag.HANDLE);
        id(id);
        plainText(name);
    }

    /** An object of JavaScript's that comes back. */
    void reference(long id) {
        put(Tag.REFERENCE);
        id(id);
        put(0);
    }
}
