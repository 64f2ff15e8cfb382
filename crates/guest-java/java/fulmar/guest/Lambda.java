package fulmar.guest;

import fulmar.JavaScriptFunction;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

/** A function of JavaScript's where an interface of one method is wanted. */
final class Lambda implements InvocationHandler {
    final JavaScriptFunction function;
    private final Class<?> type;

    private static final ClassValue<Method[]> ABSTRACT = new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
            Method only = type.isInterface() ? find(type) : null;
            return only == null ? new Method[0] : new Method[] {only};
        }
    };

    private Lambda(JavaScriptFunction function, Class<?> type) {
        this.function = function;
        this.type = type;
    }

    static Object of(JavaScriptFunction function, Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Lambda(function, type));
    }

    /** The one method that an implementation must have; null: there is none, or there are several. */
    static Method methodOf(Class<?> type) {
        Method[] found = ABSTRACT.get(type);
        return found.length == 0 ? null : found[0];
    }

    private static Method find(Class<?> type) {
        Method found = null;
        for (Method method : type.getMethods()) {
            if (!Modifier.isAbstract(method.getModifiers()) || isObjects(method)) continue;
            boolean isSame = found != null && found.getName().equals(method.getName());
            if (found != null && !isSame) return null;
            if (found == null || found.getReturnType().isAssignableFrom(method.getReturnType())) found = method;
        }
        return found;
    }

    private static boolean isObjects(Method method) {
        try {
            return Modifier.isPublic(
                    Object.class.getMethod(method.getName(), method.getParameterTypes()).getModifiers());
        } catch (NoSuchMethodException own) {
            return false;
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] given) throws Throwable {
        Object[] arguments = given == null ? new Object[0] : given;
        if (method.getDeclaringClass() == Object.class) return own(proxy, method, arguments);
        if (method.isDefault()) return byDefault(proxy, method, arguments);
        Object result = function.call(method.isVarArgs() ? spread(arguments) : arguments);
        if (method.getReturnType() == void.class) return null;
        return Convert.to(result, method.getGenericReturnType(), "what " + type.getSimpleName() + "." + method.getName() + "() returns");
    }

    private Object own(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                return type.getSimpleName() + " by a function of JavaScript's";
        }
    }

    private static Object byDefault(Object proxy, Method method, Object[] arguments) throws Throwable {
        Class<?> type = method.getDeclaringClass();
        return MethodHandles.lookup()
                .findSpecial(type, method.getName(), MethodType.methodType(method.getReturnType(), method.getParameterTypes()), type)
                .bindTo(proxy)
                .invokeWithArguments(arguments);
    }

    private static Object[] spread(Object[] arguments) {
        Object last = arguments[arguments.length - 1];
        if (!(last instanceof Object[])) return arguments;
        Object[] rest = (Object[]) last;
        Object[] all = new Object[arguments.length - 1 + rest.length];
        System.arraycopy(arguments, 0, all, 0, arguments.length - 1);
        System.arraycopy(rest, 0, all, arguments.length - 1, rest.length);
        return all;
    }
}
