package fulmar.guest;

import fulmar.JavaScriptFunction;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Members of objects and classes, by name. A class has its static ones, and behind them those of every `Class`; an object
 * has its own, then what a getter gives (`name` is `getName()`), then what stands there under that key.
 */
final class Members {
    private static final Object NOTHING = new Object();

    private Members() {}

    private static Shape shapeOf(Object target) {
        return Shape.of(target instanceof Class ? (Class<?>) target : target.getClass());
    }

    /** What stands behind a name. */
    static Object step(Object target, String name) throws Throwable {
        if (target instanceof Packages) return ((Packages) target).member(name);
        Object found = target instanceof Class ? ofClass((Class<?>) target, name) : ofObject(target, name);
        if (found == NOTHING) throw missing(target, name);
        return found;
    }

    private static Object ofClass(Class<?> type, String name) throws Throwable {
        Shape shape = Shape.of(type);
        Field field = shape.fields.get(name);
        if (field != null && Shape.isStatic(field)) return field.get(null);
        if (shape.inner.containsKey(name)) return shape.inner.get(name);
        if (shape.statics.containsKey(plain(name)) || Shape.of(Class.class).methods.containsKey(name)) return new Bound(type, name);
        return name.equals("class") ? type : NOTHING;
    }

    private static Object ofObject(Object target, String name) throws Throwable {
        Shape shape = Shape.of(target.getClass());
        Field field = shape.fields.get(name);
        if (field != null) return field.get(target);
        if (shape.methods.containsKey(plain(name))) return new Bound(target, name);
        Signature getter = getter(shape, name);
        if (getter != null) return getter.call(target, new Object[0]);
        return within(target, name);
    }

    private static Signature getter(Shape shape, String name) {
        if (name.isEmpty()) return null;
        String rest = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        for (String prefix : new String[] {"get", "is"})
            for (Signature one : shape.methods.getOrDefault(prefix + rest, new Signature[0])) if (one.types.length == 0) return one;
        return null;
    }

    private static Object within(Object target, String name) {
        if (target instanceof Map && ((Map<?, ?>) target).containsKey(name)) return ((Map<?, ?>) target).get(name);
        boolean isArray = target.getClass().isArray();
        if (isArray && name.equals("length")) return Array.getLength(target);
        if (!name.matches("\\d{1,9}")) return NOTHING;
        int index = Integer.parseInt(name);
        if (target instanceof List) return ((List<?>) target).get(index);
        return isArray ? Array.get(target, index) : NOTHING;
    }

    /** `add(int,String)` is the overload of `add` that takes these. */
    private static String plain(String name) {
        int at = name.indexOf('(');
        return at < 0 ? name : name.substring(0, at);
    }

    private static Signature[] meant(Signature[] all, String name) {
        int at = name.indexOf('(');
        if (at < 0 || !name.endsWith(")")) return all;
        String written = name.substring(at + 1, name.length() - 1);
        for (Signature one : all) if (one.is(written)) return new Signature[] {one};
        return new Signature[0];
    }

    static Object call(Object target, String name, Object[] arguments, Map<String, Object> named) throws Throwable {
        boolean isClass = target instanceof Class;
        Shape shape = shapeOf(target);
        Signature[] all = (isClass ? shape.statics : shape.methods).get(plain(name));
        if (all == null && isClass && !shape.fields.containsKey(name)) all = Shape.of(Class.class).methods.get(plain(name));
        if (all == null) return callValue(step(target, name), arguments, named);
        all = meant(all, name);
        if (all.length == 0) throw missing(target, name);
        Overloads.Chosen chosen = Overloads.choose(all, arguments, named, labelOf(target) + "." + name);
        return chosen.signature.call(isStatic(chosen) ? null : target, chosen.arguments);
    }

    private static boolean isStatic(Overloads.Chosen chosen) {
        return Modifier.isStatic(chosen.signature.executable.getModifiers());
    }

    /** An object that is a function: a method, a lambda, one of JavaScript's. */
    static Object callValue(Object target, Object[] arguments, Map<String, Object> named) throws Throwable {
        if (target instanceof Bound) return ((Bound) target).call(arguments, named);
        if (target instanceof JavaScriptFunction) return ((JavaScriptFunction) target).call(arguments);
        if (target instanceof Class) throw new IllegalArgumentException(labelOf(target) + " is a class: new makes an object of it");
        if (target instanceof Packages) throw new ClassNotFoundException(((Packages) target).missing());
        Method method = target == null ? null : Bound.functional(target);
        if (method != null) return call(target, method.getName(), arguments, named);
        throw new IllegalArgumentException(Convert.describe(target) + " cannot be called");
    }

    static Object construct(Object target, Object[] arguments, Map<String, Object> named) throws Throwable {
        if (target instanceof Packages) throw new ClassNotFoundException(((Packages) target).missing());
        if (!(target instanceof Class)) throw new IllegalArgumentException(Convert.describe(target) + " is no class");
        Class<?> type = (Class<?>) target;
        if (Modifier.isAbstract(type.getModifiers()))
            throw new InstantiationException(type.getTypeName() + " is abstract: of one of its subclasses an object can be made");
        Signature[] all = Shape.of(type).constructors;
        if (all.length == 0) throw new InstantiationException(type.getTypeName() + " has no public constructor");
        Overloads.Chosen chosen = Overloads.choose(all, arguments, named, "new " + type.getSimpleName());
        try {
            return Invocation.make((Constructor<?>) chosen.signature.executable, chosen.arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    @SuppressWarnings("unchecked")
    static void set(Object target, String name, Object value) throws Throwable {
        Shape shape = shapeOf(target);
        Field field = shape.fields.get(name);
        String where = labelOf(target) + "." + name;
        if (field != null && (!(target instanceof Class) || Shape.isStatic(field))) {
            Object converted = Convert.to(value, field.getGenericType(), where);
            field.set(Shape.isStatic(field) ? null : target, converted);
            return;
        }
        String setter = name.isEmpty() ? "" : "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        if (!(target instanceof Class) && shape.methods.containsKey(setter)) call(target, setter, new Object[] {value}, null);
        else if (target instanceof Map) ((Map<Object, Object>) target).put(name, value);
        else if (target instanceof List) ((List<Object>) target).set(Integer.parseInt(name), value);
        else if (target.getClass().isArray())
            Array.set(target, Integer.parseInt(name), Convert.to(value, target.getClass().getComponentType(), where));
        else throw missing(target, name);
    }

    static void remove(Object target, String name) {
        if (!(target instanceof Map)) throw new UnsupportedOperationException("members of " + labelOf(target) + " cannot be removed");
        ((Map<?, ?>) target).remove(name);
    }

    static List<String> names(Object target) {
        return new ArrayList<>(shapeOf(target).names(target instanceof Class));
    }

    private static String labelOf(Object target) {
        return (target instanceof Class ? (Class<?>) target : target.getClass()).getSimpleName();
    }

    private static Exception missing(Object target, String name) {
        String what = target instanceof Class ? "class " + ((Class<?>) target).getTypeName() + " has no static member " : Names.of(target) + " has no member ";
        boolean isHidden = target instanceof Class && shapeOf(target).methods.containsKey(plain(name));
        return new NoSuchFieldException(what + name + (isHidden ? ": its objects have it" : ""));
    }
}
