package fulmar.guest;

import fulmar.JavaScriptFunction;
import fulmar.JavaScriptObject;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Code that is no class: an expression, statements with an expression behind them, or the body of a method, which is
 * compiled as one. By the compiler and not by JShell, whose values are texts.
 */
final class Evaluation {
    private static final int KEPT_MAX = 100;
    private static final Pattern IMPORTS = Pattern.compile("\\A(?:\\s*import\\s+(?:static\\s+)?[\\w.]+(?:\\.\\*)?\\s*;)+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_$][\\w$]*");
    private static final String USUAL =
            "import java.util.*; import java.util.function.*; import java.util.stream.*; import java.math.*; import java.time.*; import java.io.*; ";

    private static final Map<List<String>, Class<?>> KEPT = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<String>, Class<?>> eldest) {
            return size() > KEPT_MAX;
        }
    });

    private Evaluation() {}

    static Object evaluate(String code, String name, Object options) throws Throwable {
        Modules.checkCompiler("java.eval()");
        Map<?, ?> given = options instanceof Map ? (Map<?, ?>) options : Map.of();
        Map<?, ?> locals = given.get("locals") instanceof Map ? (Map<?, ?>) given.get("locals") : Map.of();
        boolean isStatement = Boolean.TRUE.equals(given.get("statements"));
        String names = declarations(locals);
        List<String> key = List.of(code, name, names);
        Class<?> compiled = KEPT.get(key);
        if (compiled == null) {
            compiled = compile(code, name.isEmpty() ? "<eval>" : name, names);
            KEPT.put(key, compiled);
        }
        Object value = Invocation.call(compiled.getMethod("evaluate", Map.class, boolean.class), null, new Object[] {locals, true});
        return isStatement ? null : value;
    }

    private static Class<?> compile(String whole, String name, String names) throws Exception {
        Matcher imports = IMPORTS.matcher(whole);
        String head = imports.find() ? imports.group() : "";
        String code = whole.substring(head.length());
        String before = USUAL + head + " public final class Evaluated { public static Object evaluate(Map<String, Object> fulmarLocals,"
                + " boolean fulmarTrue) throws Throwable { " + names;
        CompilationException first = null;
        for (String body : bodies(code)) {
            try {
                Compiler.Compiled compiled = new Compiler.Compiled(Compiler.CODE + name, Evaluation.class.getClassLoader());
                Compiler.compile(name, before + body + "\n}}", Compiler.Place.NONE, compiled);
                return compiled.loadClass("Evaluated");
            } catch (CompilationException problem) {
                // The first way is what the code looks like.
                if (first == null) first = problem;
            }
        }
        throw first;
    }

    /** What the code may be, the likeliest first. */
    private static List<String> bodies(String code) {
        String trimmed = code.stripTrailing();
        boolean hasEnd = trimmed.endsWith(";") || trimmed.endsWith("}");
        String expression = "return (" + code + "\n);";
        String statements = "if (fulmarTrue) {" + trimmed + (hasEnd ? "" : ";") + "\n} return null;";
        int at = trimmed.lastIndexOf(';');
        List<String> bodies = new ArrayList<>();
        if (hasEnd) bodies.add(statements);
        bodies.add(expression);
        if (!hasEnd && at >= 0) bodies.add(0, trimmed.substring(0, at + 1) + "return (" + trimmed.substring(at + 1) + "\n);");
        if (!hasEnd) bodies.add(statements);
        return bodies;
    }

    private static String declarations(Map<?, ?> locals) {
        StringBuilder text = new StringBuilder();
        locals.forEach((name, value) -> {
            if (!NAME.matcher(name.toString()).matches())
                throw new IllegalArgumentException("locals: " + name + " is no name of Java's");
            String type = typeOf(value);
            text.append(type).append(' ').append(name).append(" = (").append(type).append(") fulmarLocals.get(\"").append(name).append("\"); ");
        });
        return text.toString();
    }

    private static String typeOf(Object value) {
        if (value == null) return "Object";
        if (value instanceof Integer) return "int";
        if (value instanceof Long) return "long";
        if (value instanceof Double) return "double";
        if (value instanceof Boolean) return "boolean";
        if (value instanceof List) return "List<Object>";
        if (value instanceof Set) return "Set<Object>";
        if (value instanceof Map) return "Map<String, Object>";
        if (value instanceof JavaScriptFunction) return "fulmar.JavaScriptFunction";
        if (value instanceof JavaScriptObject) return "fulmar.JavaScriptObject";
        Class<?> type = value.getClass();
        boolean isKnown = Modifier.isPublic(type.getModifiers()) && type.getCanonicalName() != null && type.getModule().isNamed()
                && type.getModule().isExported(type.getPackageName());
        return isKnown || type.isArray() && type.getComponentType().isPrimitive() ? type.getCanonicalName() : "Object";
    }
}
