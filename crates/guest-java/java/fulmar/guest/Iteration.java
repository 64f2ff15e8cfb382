package fulmar.guest;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.BaseStream;

/** One value after the other, and what is closed behind the last. */
final class Iteration {
    private final Iterator<?> values;
    private final AutoCloseable source;
    private boolean isClosed;

    private Iteration(Iterator<?> values, Object source) {
        this.values = values;
        this.source = source instanceof AutoCloseable ? (AutoCloseable) source : null;
    }

    static Iteration of(Object value) {
        if (value instanceof Iteration) return (Iteration) value;
        return new Iteration(iterator(value), value);
    }

    private static Iterator<?> iterator(Object value) {
        if (value instanceof Iterator) return (Iterator<?>) value;
        if (value instanceof Iterable) return ((Iterable<?>) value).iterator();
        if (value instanceof BaseStream) return ((BaseStream<?, ?>) value).iterator();
        if (value instanceof Enumeration) return ((Enumeration<?>) value).asIterator();
        if (value instanceof Map) return ((Map<?, ?>) value).entrySet().iterator();
        if (value.getClass().isArray()) return items(value).iterator();
        String name = Names.of(value);
        throw new IllegalArgumentException(
                name + " gives nothing one after the other: an Iterable, an Iterator, a Stream, an Enumeration, a Map or an array does");
    }

    private static List<Object> items(Object array) {
        List<Object> items = new ArrayList<>();
        for (int index = 0; index < Array.getLength(array); index += 1) items.add(Array.get(array, index));
        return items;
    }

    /** A list of the next value, or an empty one at the end. */
    List<?> next() throws Exception {
        if (isClosed) return Collections.emptyList();
        boolean hasNext = false;
        try {
            hasNext = values.hasNext();
            if (hasNext) return Collections.singletonList(values.next());
        } catch (Throwable problem) {
            hasNext = false;
            throw problem;
        } finally {
            if (!hasNext) close();
        }
        return Collections.emptyList();
    }

    /** No further value is asked for. */
    void close() throws Exception {
        if (isClosed) return;
        isClosed = true;
        if (source != null) source.close();
    }
}
