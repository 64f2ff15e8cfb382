package fulmar;

/** An object of JavaScript's, which goes back to it as the same. */
public interface JavaScriptObject {}
