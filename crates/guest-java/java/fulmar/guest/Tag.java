package fulmar.guest;

/** The bytes of messages by name; `crates/guest/src/wire.rs` has the same. */
final class Tag {
    static final int INLINE_MIN = -32;
    static final int INLINE_MAX = 191;
    static final int DEPTH_MAX = 128;
    /** Largest integer that a JavaScript number tells apart from its neighbours. */
    static final double SAFE_INTEGER_MAX = 9_007_199_254_740_991.0;

    static final int INT16 = 0xe0;
    static final int INT32 = 0xe1;
    static final int FLOAT32 = 0xe2;
    static final int FLOAT64 = 0xe3;
    static final int NULL = 0xe4;
    static final int UNDEFINED = 0xe5;
    static final int FALSE = 0xe6;
    static final int TRUE = 0xe7;
    static final int TEXT = 0xe8;
    static final int BIGINT = 0xe9;
    static final int DATE = 0xea;
    static final int URL = 0xeb;
    static final int BYTES = 0xec;
    static final int LIST = 0xed;
    static final int NUMBERS = 0xee;
    static final int OBJECT = 0xef;
    static final int MAP = 0xf0;
    static final int SET = 0xf1;
    static final int DECIMAL = 0xf3;
    static final int ARRAY = 0xf4;
    static final int HANDLE = 0xf5;
    static final int REFERENCE = 0xf6;
    static final int ATTACHED = 0xf7;
    static final int INT64 = 0xf8;

    private Tag() {}

    /** Types of elements, by their code in the message. */
    static final class Element {
        static final int INT8 = 0;
        static final int UINT8 = 1;
        static final int INT16 = 2;
        static final int UINT16 = 3;
        static final int INT32 = 4;
        static final int UINT32 = 5;
        static final int INT64 = 6;
        static final int UINT64 = 7;
        static final int FLOAT32 = 8;
        static final int FLOAT64 = 9;
        static final int BOOL = 10;
        /** Bytes of one. */
        static final int[] BYTES = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1};

        private Element() {}
    }
}
