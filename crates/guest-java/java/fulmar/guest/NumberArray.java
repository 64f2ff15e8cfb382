package fulmar.guest;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An array of numbers that Java has no array of: of unsigned ones, or of a shape. It goes back as what it was; where a
 * parameter wants an array of Java's, it becomes that.
 */
final class NumberArray {
    final int element;
    final int[] shape;
    /** In the order of C, little-endian. */
    final byte[] data;

    private NumberArray(int element, int[] shape, byte[] data) {
        this.element = element;
        this.shape = shape;
        this.data = data;
    }

    /** An array of Java's where it has one that comes back as the same. */
    static Object read(int element, int[] shape, byte[] data) {
        if (shape.length != 1) return new NumberArray(element, shape, data);
        switch (element) {
            case Tag.Element.INT16:
            case Tag.Element.INT32:
            case Tag.Element.INT64:
            case Tag.Element.FLOAT32:
            case Tag.Element.FLOAT64:
                return flat(element, data);
            default:
                return new NumberArray(element, shape, data);
        }
    }

    private static ByteBuffer buffer(byte[] data) {
        return ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** An array of the smallest type that has all values of the elements'. */
    private static Object flat(int element, byte[] data) {
        ByteBuffer from = buffer(data);
        int length = data.length / Tag.Element.BYTES[element];
        switch (element) {
            case Tag.Element.INT16:
                short[] shorts = new short[length];
                from.asShortBuffer().get(shorts);
                return shorts;
            case Tag.Element.INT32:
                int[] ints = new int[length];
                from.asIntBuffer().get(ints);
                return ints;
            case Tag.Element.INT64:
            case Tag.Element.UINT64:
                long[] longs = new long[length];
                from.asLongBuffer().get(longs);
                return longs;
            case Tag.Element.FLOAT32:
                float[] floats = new float[length];
                from.asFloatBuffer().get(floats);
                return floats;
            case Tag.Element.FLOAT64:
                double[] doubles = new double[length];
                from.asDoubleBuffer().get(doubles);
                return doubles;
            case Tag.Element.INT8:
                return data.clone();
            default:
                return widened(element, from, length);
        }
    }

    private static Object widened(int element, ByteBuffer from, int length) {
        switch (element) {
            case Tag.Element.BOOL:
                boolean[] booleans = new boolean[length];
                for (int at = 0; at < length; at += 1) booleans[at] = from.get() != 0;
                return booleans;
            case Tag.Element.UINT32:
                long[] longs = new long[length];
                for (int at = 0; at < length; at += 1) longs[at] = from.getInt() & 0xffff_ffffL;
                return longs;
            default:
                int[] ints = new int[length];
                boolean isByte = element == Tag.Element.UINT8;
                for (int at = 0; at < length; at += 1) ints[at] = isByte ? from.get() & 0xff : from.getShort() & 0xffff;
                return ints;
        }
    }

    /** As an array of Java's; of arrays, where it has more than one dimension. */
    Object toArray() {
        Object flat = flat(element, data);
        int[] at = {0};
        return shape.length == 1 ? flat : nested(flat, 0, at);
    }

    private Object nested(Object flat, int dimension, int[] at) {
        if (dimension == shape.length) return Array.get(flat, at[0]++);
        int length = shape[dimension];
        if (dimension == shape.length - 1) {
            Object row = Array.newInstance(flat.getClass().getComponentType(), length);
            System.arraycopy(flat, at[0], row, 0, length);
            at[0] += length;
            return row;
        }
        int[] rest = Arrays.copyOfRange(shape, dimension, shape.length);
        Object rows = Array.newInstance(flat.getClass().getComponentType(), rest);
        for (int index = 0; index < length; index += 1) Array.set(rows, index, nested(flat, dimension + 1, at));
        return rows;
    }

    @Override
    public String toString() {
        return "an array of the shape " + Arrays.toString(shape);
    }
}
