package fulmar;

/** A function of JavaScript's. */
public interface JavaScriptFunction extends JavaScriptObject {
    /**
     * Calls it, and waits for what it returns; where that is a promise, for its value.
     *
     * @throws JavaScriptException what it has thrown
     * @throws java.util.concurrent.CancellationException nobody waits for this call any more, or the thread was
     *     interrupted
     */
    Object call(Object... arguments);
}
