package fulmar.guest;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;

/** Records, which there are from Java 16 on; these classes are compiled for 11, and ask by reflection. */
final class Records {
    private static final Method IS_RECORD = find("isRecord");
    private static final Method COMPONENTS = find("getRecordComponents");

    private static final ClassValue<Component[]> ALL = new ClassValue<>() {
        @Override
        protected Component[] computeValue(Class<?> type) {
            return read(type);
        }
    };

    private Records() {}

    static final class Component {
        final String name;
        final Class<?> type;
        final Type generic;
        final Method accessor;

        Component(String name, Class<?> type, Type generic, Method accessor) {
            this.name = name;
            this.type = type;
            this.generic = generic;
            this.accessor = accessor;
        }
    }

    private static Method find(String name) {
        try {
            return Class.class.getMethod(name);
        } catch (NoSuchMethodException before16) {
            return null;
        }
    }

    private static Component[] read(Class<?> type) {
        if (IS_RECORD == null) return new Component[0];
        try {
            Object components = (Boolean) IS_RECORD.invoke(type) ? COMPONENTS.invoke(type) : null;
            if (components == null) return new Component[0];
            Component[] all = new Component[Array.getLength(components)];
            for (int index = 0; index < all.length; index += 1) {
                Object one = Array.get(components, index);
                Method accessor = (Method) one.getClass().getMethod("getAccessor").invoke(one);
                accessor.trySetAccessible();
                all[index] = new Component(accessor.getName(), accessor.getReturnType(), accessor.getGenericReturnType(), accessor);
            }
            return all;
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    static boolean isRecord(Class<?> type) {
        try {
            return IS_RECORD != null && (Boolean) IS_RECORD.invoke(type);
        } catch (ReflectiveOperationException problem) {
            return false;
        }
    }

    static Component[] components(Class<?> type) {
        return ALL.get(type);
    }

    /** Its components by name; null: it is no record, or none that may be looked into. */
    static Map<String, Object> values(Object value) {
        if (!isRecord(value.getClass())) return null;
        Map<String, Object> values = new LinkedHashMap<>();
        try {
            for (Component component : components(value.getClass())) values.put(component.name, component.accessor.invoke(value));
        } catch (ReflectiveOperationException hidden) {
            return null;
        }
        return values;
    }

    /** A record by the names of its components; those that are not there are null. */
    static Object make(Class<?> type, Map<?, ?> values) throws ReflectiveOperationException {
        Component[] components = components(type);
        Class<?>[] types = new Class<?>[components.length];
        Object[] arguments = new Object[components.length];
        for (int index = 0; index < components.length; index += 1) {
            Component component = components[index];
            types[index] = component.type;
            arguments[index] = Convert.to(values.get(component.name), component.generic, type.getSimpleName() + "." + component.name);
        }
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.trySetAccessible();
        return Invocation.make(constructor, arguments);
    }
}
