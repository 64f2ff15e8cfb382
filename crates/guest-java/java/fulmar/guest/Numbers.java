package fulmar.guest;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Numbers: JavaScript has one kind, and what it is in Java is said by the parameter. Nothing is cut off. */
final class Numbers {
    private static final int NO = Convert.NO;
    private static final long SAFE_MAX = 1L << 53;
    private static final long FLOAT_MAX = 1L << 24;
    /** `Number`, `Comparable`. */
    private static final int GENERAL = 50;

    private Numbers() {}

    /** Of a class that values of messages are of. */
    static boolean isPlain(Object value) {
        if (!(value instanceof Number)) return false;
        Class<?> type = value.getClass();
        return type == Integer.class
                || type == Double.class
                || type == Long.class
                || type == BigInteger.class
                || type == BigDecimal.class
                || type == Float.class
                || type == Short.class
                || type == Byte.class;
    }

    static int cost(Number value, Class<?> raw) {
        int primitive = primitiveCost(value, unboxed(raw));
        if (primitive != NO) return raw.isPrimitive() ? primitive : primitive + 1;
        if (raw == BigInteger.class) return isInteger(value) ? big(value, BigInteger.class) : NO;
        if (raw == BigDecimal.class) return isFinite(value) ? big(value, BigDecimal.class) + 1 : NO;
        return raw.isInstance(value) ? GENERAL : NO;
    }

    private static int big(Number value, Class<?> raw) {
        return value.getClass() == raw ? Convert.EXACT : 16;
    }

    private static boolean isInteger(Number value) {
        return !(value instanceof Double || value instanceof Float || value instanceof BigDecimal);
    }

    private static boolean isFinite(Number value) {
        return !(value instanceof Double || value instanceof Float) || Double.isFinite(value.doubleValue());
    }

    private static Class<?> unboxed(Class<?> raw) {
        if (raw.isPrimitive()) return raw;
        if (raw == Integer.class) return int.class;
        if (raw == Long.class) return long.class;
        if (raw == Double.class) return double.class;
        if (raw == Float.class) return float.class;
        if (raw == Short.class) return short.class;
        return raw == Byte.class ? byte.class : raw;
    }

    private static int primitiveCost(Number value, Class<?> type) {
        if (value instanceof BigInteger) return NO;
        if (value instanceof BigDecimal) return type == double.class ? 20 : NO;
        if (!isInteger(value)) return type == double.class ? 0 : type == float.class ? 2 : NO;
        long number = value.longValue();
        if (type == int.class) return number == (int) number ? 0 : NO;
        if (type == long.class) return number == (int) number ? 2 : 0;
        if (type == double.class) return Math.abs(number) <= SAFE_MAX ? 4 : NO;
        if (type == float.class) return Math.abs(number) <= FLOAT_MAX ? 6 : NO;
        if (type == short.class) return number == (short) number ? 8 : NO;
        if (type == byte.class) return number == (byte) number ? 10 : NO;
        return NO;
    }

    static Object to(Number value, Class<?> raw) {
        Class<?> type = unboxed(raw);
        if (type == int.class) return value.intValue();
        if (type == long.class) return value.longValue();
        if (type == double.class) return value.doubleValue();
        if (type == float.class) return value.floatValue();
        if (type == short.class) return value.shortValue();
        if (type == byte.class) return value.byteValue();
        if (raw.isInstance(value)) return value;
        if (raw == BigInteger.class) return BigInteger.valueOf(value.longValue());
        if (value instanceof BigInteger) return new BigDecimal((BigInteger) value);
        return isInteger(value) ? BigDecimal.valueOf(value.longValue()) : new BigDecimal(value.toString());
    }
}
