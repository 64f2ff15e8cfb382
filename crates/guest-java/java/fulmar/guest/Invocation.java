package fulmar.guest;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** A call by reflection, whose exceptions are those of what was called. */
final class Invocation {
    private Invocation() {}

    static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        Thread thread = Thread.currentThread();
        ClassLoader before = enter(thread, method);
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        } finally {
            if (before != null) thread.setContextClassLoader(before);
        }
    }

    static Object make(Constructor<?> constructor, Object[] arguments) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = enter(thread, constructor);
        try {
            return constructor.newInstance(arguments);
        } finally {
            if (before != null) thread.setContextClassLoader(before);
        }
    }

    /** Libraries look for their parts with the thread's class loader: it is that of the class that is called. */
    private static ClassLoader enter(Thread thread, Executable executable) {
        ClassLoader own = executable.getDeclaringClass().getClassLoader();
        ClassLoader before = thread.getContextClassLoader();
        if (own == null || own == before || before == null) return null;
        thread.setContextClassLoader(own);
        return before;
    }
}
