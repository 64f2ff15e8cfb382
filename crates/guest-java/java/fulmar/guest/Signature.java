package fulmar.guest;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;

/** What a method or a constructor takes. */
final class Signature {
    final Executable executable;
    final Class<?>[] raw;
    final Type[] types;
    final boolean isVarArgs;
    /** Names of parameters; null: they were not kept (`javac -parameters`). */
    final String[] names;

    Signature(Executable executable) {
        this.executable = executable;
        raw = executable.getParameterTypes();
        Type[] generic = executable.getGenericParameterTypes();
        // Inner classes and enums have parameters that only one of the two knows.
        types = generic.length == raw.length ? generic : raw;
        isVarArgs = executable.isVarArgs();
        names = namesOf(executable);
    }

    private static String[] namesOf(Executable executable) {
        Parameter[] parameters = executable.getParameters();
        String[] names = new String[parameters.length];
        for (int index = 0; index < parameters.length; index += 1) {
            if (!parameters[index].isNamePresent()) return componentsOf(executable);
            names[index] = parameters[index].getName();
        }
        return names;
    }

    /** The constructor of a record has the names of its components. */
    private static String[] componentsOf(Executable executable) {
        if (!(executable instanceof Constructor)) return null;
        Records.Component[] components = Records.components(executable.getDeclaringClass());
        Class<?>[] raw = executable.getParameterTypes();
        if (components.length == 0 || components.length != raw.length) return null;
        String[] names = new String[raw.length];
        for (int index = 0; index < raw.length; index += 1) {
            if (components[index].type != raw[index]) return null;
            names[index] = components[index].name;
        }
        return names;
    }

    Object call(Object target, Object[] arguments) throws Throwable {
        return Invocation.call((Method) executable, target, arguments);
    }

    /** `(int,String)`, as an overload is chosen by name. */
    boolean is(String written) {
        String[] parts = written.isBlank() ? new String[0] : written.split(",");
        if (parts.length != raw.length) return false;
        for (int index = 0; index < parts.length; index += 1) {
            String part = parts[index].trim();
            Class<?> type = raw[index];
            if (!part.equals(type.getSimpleName()) && !part.equals(type.getTypeName()) && !part.equals(type.getName())) return false;
        }
        return true;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("(");
        for (int index = 0; index < raw.length; index += 1) {
            boolean isRest = isVarArgs && index == raw.length - 1;
            if (index > 0) text.append(", ");
            text.append(isRest ? raw[index].getComponentType().getSimpleName() + "..." : raw[index].getSimpleName());
        }
        return text.append(')').toString();
    }
}
