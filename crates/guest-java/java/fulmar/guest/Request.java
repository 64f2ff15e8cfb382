package fulmar.guest;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a message asks for (`crates/guest/src/request.rs`), done. */
final class Request {
    private static final int RELEASE = 0;
    private static final int IMPORT = 1;
    private static final int EVAL = 2;
    private static final int CALL = 3;
    private static final int DESCRIBE = 5;

    private static final int ACTION_CALL = 0;
    private static final int ACTION_GET = 1;
    private static final int ACTION_SET = 2;
    private static final int ACTION_NEW = 3;
    private static final int ACTION_ITERATE = 4;
    private static final int ACTION_NEXT = 5;
    private static final int ACTION_RETURN = 6;
    private static final int ACTION_NAMES = 7;
    private static final int ACTION_DELETE = 8;
    private static final int ACTION_VALUE = 9;

    private final Client client;
    private final Reader reader;
    /** The result stays here, whatever it is. */
    boolean isHandle;
    /** Where the result is a future, its value is meant. */
    boolean isAwaited = true;

    Request(Client client, Reader reader) {
        this.client = client;
        this.reader = reader;
    }

    Object perform() throws Throwable {
        switch (reader.unsigned()) {
            case RELEASE:
                for (int count = reader.count(); count > 0; count -= 1) client.release(reader.id());
                return null;
            case IMPORT:
                isHandle = true;
                return Modules.load(reader.text(), reader.value());
            case EVAL:
                String code = reader.text();
                String name = reader.text();
                isHandle = reader.unsigned() == 1;
                return Evaluation.evaluate(code, name, reader.value());
            case CALL:
                return call();
            case DESCRIBE:
                return describe();
            default:
                // Answers that no thread waits for: nobody hears them.
                return null;
        }
    }

    private Object call() throws Throwable {
        long target = reader.id();
        String[] path = new String[reader.count()];
        for (int index = 0; index < path.length; index += 1) path[index] = reader.text();
        int action = reader.unsigned();
        isHandle = reader.unsigned() == 1;
        Object[] arguments = reader.values();
        Map<String, Object> named = reader.members(0);
        Object from = target == 0 ? Modules.root() : client.handle(target);
        boolean isByName = path.length > 0 && (action == ACTION_CALL || action == ACTION_SET || action == ACTION_DELETE);
        int steps = isByName ? path.length - 1 : path.length;
        for (int index = 0; index < steps; index += 1) {
            from = Members.step(from, path[index]);
            if (from == null && index < path.length - 1)
                throw new NullPointerException(path[index] + " is null: it has no member " + path[index + 1]);
        }
        return perform(action, from, isByName ? path[steps] : null, arguments, named.isEmpty() ? null : named);
    }

    /** @param name the member that is meant, where it need not be there as a value */
    private Object perform(int action, Object target, String name, Object[] arguments, Map<String, Object> named) throws Throwable {
        switch (action) {
            case ACTION_CALL:
                if (name == null) return Members.callValue(target, arguments, named);
                return target instanceof Packages
                        ? Members.callValue(Members.step(target, name), arguments, named)
                        : Members.call(target, name, arguments, named);
            case ACTION_NEW:
                // Whoever makes an object wants that object: a list to add to, not a copy of it.
                isHandle = true;
                return Members.construct(target, arguments, named);
            case ACTION_GET:
            case ACTION_VALUE:
                // Who asks for a future as an object gets that.
                isAwaited = !isHandle;
                if (target instanceof Packages && !((Packages) target).exists())
                    throw new ClassNotFoundException(((Packages) target).missing());
                return target;
            case ACTION_SET:
                Members.set(target, name, arguments.length > 0 ? arguments[0] : null);
                return null;
            case ACTION_DELETE:
                Members.remove(target, name);
                return null;
            case ACTION_NAMES:
                return Members.names(target);
            default:
                return step(action, target);
        }
    }

    private Object step(int action, Object target) throws Exception {
        switch (action) {
            case ACTION_ITERATE:
                isHandle = true;
                return Iteration.of(target);
            case ACTION_NEXT:
                return Iteration.of(target).next();
            case ACTION_RETURN:
                Iteration.of(target).close();
                return Collections.emptyList();
            default:
                return String.valueOf(target);
        }
    }

    private static Map<String, Object> describe() {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("language", "java");
        described.put("version", System.getProperty("java.version"));
        described.put("implementation", System.getProperty("java.vm.name"));
        described.put("vendor", System.getProperty("java.vendor"));
        described.put("home", System.getProperty("java.home"));
        described.put("hasCompiler", Modules.hasCompiler());
        return described;
    }
}
