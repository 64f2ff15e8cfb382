package fulmar.guest;

/** Something that is no exception of the application's: a value that does not go over, a handle that was let go of. */
final class Refusal extends RuntimeException {
    static final String VALUE = "ERR_GUEST_VALUE";
    static final String HANDLE = "ERR_GUEST_HANDLE";
    static final String UNAVAILABLE = "ERR_GUEST_UNAVAILABLE";
    private static final long serialVersionUID = 1L;

    /** One of `GUEST_ERRORS` of `packages/fulmar/src/polyglot/errors.ts`. */
    final String code;

    Refusal(String code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    static Refusal value(String message) {
        return new Refusal(VALUE, message);
    }
}
