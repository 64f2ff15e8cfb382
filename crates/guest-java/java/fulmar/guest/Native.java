package fulmar.guest;

/** The functions of Fulmar's library (`crates/guest-java/src/natives.rs`). */
final class Native {
    private Native() {}

    /** Hands a message to JavaScript: the first `length` of `bytes`, and what stands beside it (null: nothing). */
    static native void reply(long client, byte[] bytes, int length, byte[][] attached);

    /** A number for a call into JavaScript. */
    static native long begin(long client);

    /** The call of that number is not sent. */
    static native void giveUp(long number);

    /**
     * Sends the call of that number, and waits for its answer: the message, then what stands beside it. Null: nobody
     * waits for it any more.
     */
    static native byte[][] call(long client, long number, byte[] bytes, int length, byte[][] attached);
}
