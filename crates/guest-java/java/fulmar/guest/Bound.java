package fulmar.guest;

import java.lang.reflect.Method;
import java.util.Map;

/** A method of an object that was asked for as a value: it can be called later. */
final class Bound {
    final Object target;
    final String name;

    Bound(Object target, String name) {
        this.target = target;
        this.name = name;
    }

    Object call(Object[] arguments, Map<String, Object> named) throws Throwable {
        return Members.call(target, name, arguments, named);
    }

    /** The one method of an object whose class is an implementation of a functional interface; null: it is none. */
    static Method functional(Object value) {
        for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> one : type.getInterfaces()) {
                Method method = one.isAnnotationPresent(FunctionalInterface.class) ? Lambda.methodOf(one) : null;
                if (method != null) return method;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return "method " + name + " of " + Names.of(target);
    }
}
