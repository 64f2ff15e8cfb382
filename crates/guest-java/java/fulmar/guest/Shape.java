package fulmar.guest;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The public members of a class, looked up once. A method that a class has which nobody may look into (an iterator of
 * `ArrayList`) is called by the public class or interface that it is of.
 */
final class Shape {
    private static final ClassValue<Shape> ALL = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return new Shape(type);
        }
    };

    final Map<String, Signature[]> methods = new LinkedHashMap<>();
    final Map<String, Signature[]> statics = new LinkedHashMap<>();
    final Map<String, Field> fields = new LinkedHashMap<>();
    final Map<String, Class<?>> inner = new LinkedHashMap<>();
    final Signature[] constructors;

    private Shape(Class<?> type) {
        Map<String, Map<String, Signature>> found = new LinkedHashMap<>();
        Map<String, Map<String, Signature>> foundStatic = new LinkedHashMap<>();
        for (Class<?> one : family(type)) {
            for (Method method : one.getDeclaredMethods()) {
                if (!Modifier.isPublic(method.getModifiers()) || method.isBridge()) continue;
                boolean isStatic = Modifier.isStatic(method.getModifiers());
                if (isStatic && one.isInterface() && one != type || !isOpen(one, method)) continue;
                Signature signature = new Signature(method);
                found.computeIfAbsent(method.getName(), name -> new LinkedHashMap<>()).putIfAbsent(signature.toString(), signature);
                if (isStatic)
                    foundStatic.computeIfAbsent(method.getName(), name -> new LinkedHashMap<>()).putIfAbsent(signature.toString(), signature);
            }
            for (Field field : one.getDeclaredFields())
                if (Modifier.isPublic(field.getModifiers()) && isOpen(one, field)) fields.putIfAbsent(field.getName(), field);
        }
        found.forEach((name, all) -> methods.put(name, all.values().toArray(new Signature[0])));
        foundStatic.forEach((name, all) -> statics.put(name, all.values().toArray(new Signature[0])));
        for (Class<?> one : type.getClasses()) inner.putIfAbsent(one.getSimpleName(), one);
        constructors = Arrays.stream(type.getConstructors())
                .filter(one -> isOpen(type, one))
                .map(Signature::new)
                .toArray(Signature[]::new);
    }

    static Shape of(Class<?> type) {
        return ALL.get(type);
    }

    /** The class, those that it extends, then all interfaces. */
    private static List<Class<?>> family(Class<?> type) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        List<Class<?>> family = new ArrayList<>();
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            family.add(one);
            addInterfaces(one, interfaces);
        }
        if (type.isInterface()) interfaces.add(Object.class);
        interfaces.removeAll(family);
        family.addAll(interfaces);
        return family;
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
        for (Class<?> one : type.getInterfaces()) if (all.add(one)) addInterfaces(one, all);
    }

    private static boolean isOpen(Class<?> type, AccessibleObject member) {
        boolean isPublic = Modifier.isPublic(type.getModifiers());
        if (isPublic && type.getModule().isExported(type.getPackageName(), Shape.class.getModule())) return true;
        return member.trySetAccessible();
    }

    static boolean isStatic(Field field) {
        return Modifier.isStatic(field.getModifiers());
    }

    Set<String> names(boolean isOfClass) {
        Set<String> names = new TreeSet<>();
        fields.forEach((name, field) -> {
            if (isStatic(field) == isOfClass) names.add(name);
        });
        if (isOfClass) {
            names.addAll(statics.keySet());
            names.addAll(inner.keySet());
        } else {
            methods.forEach((name, all) -> {
                if (!statics.containsKey(name)) names.add(name);
            });
        }
        return names;
    }
}
