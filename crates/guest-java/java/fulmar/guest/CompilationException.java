package fulmar.guest;

import java.util.List;
import java.util.Map;

/** Source that does not compile. */
final class CompilationException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Where, as frames of an error. */
    final transient List<Map<String, Object>> frames;

    CompilationException(String message, List<Map<String, Object>> frames) {
        super(message);
        this.frames = frames;
    }
}
