package fulmar.guest;

import java.util.Enumeration;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.BaseStream;

/** How objects that stay here are called, and what they can. */
final class Names {
    private Names() {}

    static String of(Object value) {
        if (value instanceof Class) return "class " + ((Class<?>) value).getTypeName();
        if (value instanceof Packages || value instanceof Bound) return value.toString();
        return value.getClass().getTypeName();
    }

    static int abilities(Object value) {
        int abilities = 0;
        if (value instanceof Bound || Bound.functional(value) != null) abilities |= Tag.CALLABLE;
        if (value instanceof Class) abilities |= Tag.CLASS;
        if (isIterable(value)) abilities |= Tag.ITERABLE;
        return abilities;
    }

    static boolean isIterable(Object value) {
        return value instanceof Iterable
                || value instanceof Iterator
                || value instanceof BaseStream
                || value instanceof Enumeration
                || value instanceof Map
                || value instanceof Iteration
                || value.getClass().isArray();
    }
}
