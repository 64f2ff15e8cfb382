package fulmar;

/** What a function of JavaScript's has thrown. */
public final class JavaScriptException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Object reference;
    private final String errorName;
    private final String errorStack;

    public JavaScriptException(String message, String name, String stack, Object reference) {
        super(message);
        this.errorName = name;
        this.errorStack = stack;
        this.reference = reference;
    }

    /** The error's name: {@code RangeError}. */
    public String name() {
        return errorName;
    }

    /** Its stack in JavaScript; null where it has none. */
    public String stack() {
        return errorStack;
    }

    /** The error itself, which goes back to JavaScript as the same; null where none was thrown. */
    public Object reference() {
        return reference;
    }

    @Override
    public String toString() {
        return "Error".equals(errorName) ? getMessage() : errorName + ": " + getMessage();
    }
}
