package fulmar.guest;

import fulmar.JavaScriptFunction;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Map;
import java.util.Optional;

/**
 * What a value of JavaScript's becomes where Java wants a type, and what that costs: of several methods that take the
 * arguments, the one is meant whose cost is the lowest. `to` does what `cost` promises.
 */
final class Convert {
    /** It cannot be given there. */
    static final int NO = -1;

    static final int EXACT = 0;
    /** One that the value's own class extends. */
    static final int WIDER = 10;

    static final int LAMBDA = 15;
    static final int WRAPPED = 40;
    static final int ANY = 100;

    private Convert() {}

    static Class<?> raw(Type type) {
        if (type instanceof Class) return (Class<?>) type;
        if (type instanceof ParameterizedType) return (Class<?>) ((ParameterizedType) type).getRawType();
        if (type instanceof TypeVariable) return raw(((TypeVariable<?>) type).getBounds()[0]);
        if (type instanceof WildcardType) return raw(((WildcardType) type).getUpperBounds()[0]);
        Class<?> component = raw(((GenericArrayType) type).getGenericComponentType());
        return java.lang.reflect.Array.newInstance(component, 0).getClass();
    }

    /** The type's own argument; `Object` where it says none. */
    static Type argument(Type type, int index) {
        if (!(type instanceof ParameterizedType)) return Object.class;
        Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
        return index < arguments.length ? arguments[index] : Object.class;
    }

    static int cost(Object value, Type type) {
        Class<?> raw = raw(type);
        if (value == null) return raw.isPrimitive() ? NO : EXACT;
        if (raw == Object.class) return ANY;
        if (raw == Optional.class && !(value instanceof Optional)) return cost(value, argument(type, 0)) == NO ? NO : WRAPPED;
        if (Numbers.isPlain(value)) return Numbers.cost((Number) value, raw);
        if (value instanceof Boolean && (raw == boolean.class || raw == Boolean.class)) return raw.isPrimitive() ? EXACT : EXACT + 1;
        int container = Containers.cost(value, raw, type);
        if (container != NO) return container;
        if (raw.isInstance(value)) return raw == value.getClass() ? EXACT : WIDER;
        if (value instanceof JavaScriptFunction) return Lambda.methodOf(raw) != null ? LAMBDA : NO;
        return Texts.cost(value, raw);
    }

    /** @param where what it is for, in words */
    static Object to(Object value, Type type, String where) {
        Class<?> raw = raw(type);
        if (value == null) {
            if (raw.isPrimitive() && raw != void.class) throw misfit(value, raw, where);
            return null;
        }
        if (cost(value, type) == NO) throw misfit(value, raw, where);
        return fitted(value, raw, type, where);
    }

    /** As `to`, for what `cost` has said yes to. */
    static Object fitted(Object value, Class<?> raw, Type type, String where) {
        if (value == null || raw == Object.class) return value;
        if (raw == Optional.class && !(value instanceof Optional)) return Optional.ofNullable(to(value, argument(type, 0), where));
        if (Numbers.isPlain(value)) return Numbers.to((Number) value, raw);
        if (value instanceof Boolean) return value;
        if (Containers.cost(value, raw, type) != NO) return Containers.to(value, raw, type, where);
        if (raw.isInstance(value)) return value;
        if (value instanceof JavaScriptFunction) return Lambda.of((JavaScriptFunction) value, raw);
        return Texts.to(value, raw, where);
    }

    static IllegalArgumentException misfit(Object value, Class<?> raw, String where) {
        return new IllegalArgumentException(where + ": " + raw.getTypeName() + " is expected, and this is " + describe(value));
    }

    /** A value in a few words. */
    static String describe(Object value) {
        if (value == null) return "null";
        if (value instanceof String) {
            String text = (String) value;
            return "the text \"" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "\"";
        }
        if (value instanceof Number || value instanceof Boolean) return value.toString();
        if (value instanceof Map) return "an object";
        if (value instanceof java.util.List) return "a list of " + ((java.util.List<?>) value).size();
        if (value instanceof JavaScriptFunction) return "a function";
        return "a " + Names.of(value);
    }

    /** The same for a list of types, as overloads are named in errors. */
    static String kind(Object value) {
        if (value == null) return "null";
        if (value instanceof Map) return "object";
        if (value instanceof java.util.List) return "list";
        if (value instanceof JavaScriptFunction) return "function";
        return value.getClass().getSimpleName();
    }
}
