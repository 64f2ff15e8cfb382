package fulmar.guest;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Lists, sets, maps, arrays and bytes where Java wants one of its own; what is in them is converted, too. */
final class Containers {
    private static final int NO = Convert.NO;
    private static final int OWN = 1;
    private static final int OTHER = 20;
    private static final int BYTES_OTHER = 5;
    private static final List<Class<?>> COLLECTIONS =
            List.of(ArrayList.class, LinkedHashSet.class, TreeSet.class, LinkedList.class, ArrayDeque.class);

    private Containers() {}

    static int cost(Object value, Class<?> raw, Type type) {
        if (value instanceof byte[]) return bytesCost(raw);
        if (value instanceof NumberArray) return raw.isArray() ? cost(((NumberArray) value).toArray(), raw, type) : NO;
        if (value.getClass().isArray()) return arrayCost(value, raw, type);
        if (value instanceof Map) return mapCost((Map<?, ?>) value, raw, type);
        if (value instanceof List || value instanceof java.util.Set) return collectionCost((Collection<?>) value, raw, type);
        return NO;
    }

    private static int bytesCost(Class<?> raw) {
        if (raw == byte[].class) return Convert.EXACT;
        return raw == ByteBuffer.class || raw == InputStream.class ? BYTES_OTHER : NO;
    }

    /** Arrays of numbers, of which Java has others. */
    private static int arrayCost(Object value, Class<?> raw, Type type) {
        if (raw.isInstance(value)) return Convert.EXACT;
        if (!raw.isArray() && targetOf(raw) == null) return NO;
        Type element = elementOf(raw, type);
        int worst = OWN;
        for (int index = 0; index < Array.getLength(value); index += 1) {
            int one = Convert.cost(Array.get(value, index), element);
            if (one == NO) return NO;
            worst = Math.max(worst, one);
        }
        return OTHER + worst;
    }

    private static int collectionCost(Collection<?> value, Class<?> raw, Type type) {
        boolean isOwn = raw.isInstance(value);
        if (!isOwn && !raw.isArray() && raw != Iterator.class && raw != Stream.class && targetOf(raw) == null) return NO;
        Type element = elementOf(raw, type);
        int worst = 0;
        if (Convert.raw(element) != Object.class) {
            for (Object item : value) {
                int one = Convert.cost(item, element);
                if (one == NO) return NO;
                worst = Math.max(worst, one);
            }
        }
        return (isOwn ? OWN : OTHER) + worst;
    }

    private static int mapCost(Map<?, ?> value, Class<?> raw, Type type) {
        if (raw.isInstance(value) || raw.isAssignableFrom(TreeMap.class) && Map.class.isAssignableFrom(raw)) {
            int worst = raw.isInstance(value) ? OWN : OTHER;
            for (Map.Entry<?, ?> entry : value.entrySet()) {
                if (Convert.cost(entry.getKey(), Convert.argument(type, 0)) == NO) return NO;
                if (Convert.cost(entry.getValue(), Convert.argument(type, 1)) == NO) return NO;
            }
            return worst;
        }
        return Records.isRecord(raw) && isRecord(value, raw) ? OTHER : NO;
    }

    /** Each component is there, and there is nothing else. */
    private static boolean isRecord(Map<?, ?> value, Class<?> raw) {
        int found = 0;
        for (Records.Component component : Records.components(raw)) {
            if (value.containsKey(component.name)) found += 1;
            if (Convert.cost(value.get(component.name), component.generic) == NO) return false;
        }
        return found == value.size();
    }

    private static Type elementOf(Class<?> raw, Type type) {
        if (type instanceof GenericArrayType) return ((GenericArrayType) type).getGenericComponentType();
        return raw.isArray() ? raw.getComponentType() : Convert.argument(type, 0);
    }

    /** A class of collections that is one of those that are wanted; null: there is none. */
    private static Class<?> targetOf(Class<?> raw) {
        if (!Iterable.class.isAssignableFrom(raw)) return null;
        for (Class<?> one : COLLECTIONS) if (raw.isAssignableFrom(one)) return one;
        return null;
    }

    static Object to(Object value, Class<?> raw, Type type, String where) {
        if (value instanceof NumberArray) return to(((NumberArray) value).toArray(), raw, type, where);
        if (value instanceof Map) return map((Map<?, ?>) value, raw, type, where);
        if (value instanceof byte[]) return bytes((byte[]) value, raw);
        if (value.getClass().isArray()) return raw.isInstance(value) ? value : collection(items(value), raw, type, where);
        boolean isPlain = raw.isInstance(value) && Convert.raw(elementOf(raw, type)) == Object.class;
        return isPlain ? value : collection((Collection<?>) value, raw, type, where);
    }

    private static Object bytes(byte[] value, Class<?> raw) {
        if (raw == ByteBuffer.class) return ByteBuffer.wrap(value);
        return raw == InputStream.class ? new ByteArrayInputStream(value) : value;
    }

    private static List<Object> items(Object array) {
        Object[] items = new Object[Array.getLength(array)];
        for (int index = 0; index < items.length; index += 1) items[index] = Array.get(array, index);
        return Arrays.asList(items);
    }

    private static Object collection(Collection<?> value, Class<?> raw, Type type, String where) {
        Type element = elementOf(raw, type);
        Class<?> elementRaw = Convert.raw(element);
        if (raw.isArray()) {
            Object array = Array.newInstance(raw.getComponentType(), value.size());
            int index = 0;
            for (Object item : value) Array.set(array, index++, Convert.fitted(item, elementRaw, element, where));
            return array;
        }
        Collection<Object> made = collectionFor(value, raw);
        for (Object item : value) made.add(Convert.fitted(item, elementRaw, element, where));
        if (raw == Iterator.class) return made.iterator();
        return raw == Stream.class ? made.stream() : made;
    }

    private static Collection<Object> collectionFor(Collection<?> value, Class<?> raw) {
        Class<?> target = raw.isInstance(value) ? value.getClass() : targetOf(raw);
        if (target == LinkedHashSet.class) return new LinkedHashSet<>(value.size() * 2);
        if (target == TreeSet.class) return new TreeSet<>();
        if (target == LinkedList.class) return new LinkedList<>();
        return target == ArrayDeque.class ? new ArrayDeque<>() : new ArrayList<>(value.size());
    }

    private static Object map(Map<?, ?> value, Class<?> raw, Type type, String where) {
        if (!Map.class.isAssignableFrom(raw)) {
            try {
                return Records.make(raw, value);
            } catch (ReflectiveOperationException problem) {
                throw new IllegalArgumentException(where + ": " + problem, problem);
            }
        }
        Type key = Convert.argument(type, 0);
        Type member = Convert.argument(type, 1);
        boolean isPlain = Convert.raw(key) == Object.class && Convert.raw(member) == Object.class;
        if (raw.isInstance(value) && isPlain) return value;
        Map<Object, Object> made = raw.isInstance(value) ? new LinkedHashMap<>(value.size() * 2) : new TreeMap<>();
        value.forEach((name, one) -> made.put(
                Convert.fitted(name, Convert.raw(key), key, where), Convert.fitted(one, Convert.raw(member), member, where)));
        return made;
    }
}
