package fulmar.guest;

import fulmar.JavaScriptException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Exceptions as JavaScript's errors say them (`packages/fulmar/src/polyglot/errors.ts`), and the other way. */
final class Described {
    private static final int FRAMES_MAX = 100;
    private static final int CAUSES_MAX = 8;

    private Described() {}

    static Map<String, Object> of(Throwable error) {
        return of(error, 0);
    }

    private static Map<String, Object> of(Throwable error, int depth) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("class", error.getClass().getName());
        described.put("message", messageOf(error));
        described.put("frames", error instanceof CompilationException ? ((CompilationException) error).frames : frames(error));
        List<String> bases = new ArrayList<>();
        for (Class<?> one = error.getClass().getSuperclass(); one != null && one != Throwable.class && one != Object.class; one = one.getSuperclass())
            bases.add(one.getName());
        described.put("bases", bases);
        if (error instanceof JavaScriptException && ((JavaScriptException) error).reference() != null)
            described.put("reference", ((JavaScriptException) error).reference());
        List<String> notes = new ArrayList<>();
        for (Throwable one : error.getSuppressed()) notes.add("suppressed: " + one.getClass().getName() + ": " + messageOf(one));
        if (!notes.isEmpty()) described.put("notes", notes);
        Throwable cause = error.getCause();
        if (cause != null && cause != error && depth < CAUSES_MAX) described.put("cause", of(cause, depth + 1));
        return described;
    }

    private static String messageOf(Throwable error) {
        try {
            String message = error.getLocalizedMessage();
            return message == null ? "" : whole(message);
        } catch (RuntimeException own) {
            return "";
        }
    }

    /** Without halves of characters, which would not go over. */
    private static String whole(String text) {
        StringBuilder made = null;
        for (int at = 0; at < text.length(); at += 1) {
            int point = text.codePointAt(at);
            if (point >= Character.MIN_SUPPLEMENTARY_CODE_POINT) at += 1;
            else if (Character.isSurrogate((char) point)) {
                if (made == null) made = new StringBuilder(text);
                made.setCharAt(at, '\ufffd');
            }
        }
        return made == null ? text : made.toString();
    }

    private static List<Map<String, Object>> frames(Throwable error) {
        List<Map<String, Object>> frames = new ArrayList<>();
        for (StackTraceElement one : error.getStackTrace()) {
            if (frames.size() == FRAMES_MAX) break;
            if (isOwn(one.getClassName())) continue;
            frames.add(frame(fileOf(one), one.getLineNumber(), one.getClassName() + "." + one.getMethodName()));
        }
        return frames;
    }

    static Map<String, Object> frame(String file, long line, String function) {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("file", file);
        frame.put("line", Math.max(0, line));
        frame.put("function", function);
        return frame;
    }

    private static boolean isOwn(String name) {
        return name.startsWith("fulmar.guest.")
                || name.startsWith("jdk.internal.reflect.")
                || name.startsWith("java.lang.reflect.")
                || name.startsWith("java.lang.invoke.")
                || name.contains(".$Proxy");
    }

    /** Where a class was compiled from: its loader says so (`Compiler`). */
    private static String fileOf(StackTraceElement frame) {
        String loader = frame.getClassLoaderName();
        String file = frame.getFileName();
        if (loader != null && loader.startsWith(Compiler.CODE)) return loader.substring(Compiler.CODE.length());
        if (loader != null && loader.startsWith(Compiler.FILES) && file != null) {
            String name = frame.getClassName();
            String folder = name.substring(0, name.lastIndexOf('.') + 1).replace('.', '/');
            return loader.substring(Compiler.FILES.length()) + "/" + folder + file;
        }
        if (file == null) return frame.getModuleName() == null ? "?" : frame.getModuleName();
        return frame.getModuleName() == null ? file : frame.getModuleName() + "/" + file;
    }

    /** What a function of JavaScript's has thrown, as an exception. */
    static JavaScriptException thrown(Object value) {
        if (!(value instanceof Map)) return new JavaScriptException(String.valueOf(value), "Error", null, null);
        Map<?, ?> error = (Map<?, ?>) value;
        Object message = error.get("message");
        Object name = error.get("name");
        Object stack = error.get("stack");
        return new JavaScriptException(
                message == null ? "" : message.toString(),
                name == null ? "Error" : name.toString(),
                stack == null ? null : stack.toString(),
                error.get("reference"));
    }
}
