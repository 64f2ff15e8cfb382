/** Bounds of what `fulmar dev` keeps and shows. Data only; SECURITY.md lists them. */

/** Requests that are remembered, the newest. */
export const REQUESTS_MAX = 200;
/** Pages that wait for events, of all browsers together. */
export const LISTENERS_MAX = 64;
/** A page that takes no more of its events is let go. */
export const EVENT_BYTES_WAITING_MAX = 256 * 1024;
/** Of content that is posted to `/_fulmar`: none is needed. */
export const TARGET_CHARS_MAX = 8_192;
/** Header fields that are shown of a request, and characters of a value. */
export const FIELDS_MAX = 100;
export const VALUE_CHARS_MAX = 2_000;

/** Of an error: characters of its message, of a value that is no error. */
export const MESSAGE_CHARS_MAX = 10_000;
/** Lines of a stack that are read, and characters of each. */
export const STACK_LINES_MAX = 100;
export const STACK_LINE_CHARS_MAX = 1_000;
/** Causes of causes, and errors of an AggregateError that are shown. */
export const CAUSES_MAX = 8;
export const ERRORS_MAX = 10;
/** Errors that are shown of one failure, all told. */
export const FAILURES_MAX = 32;

/** A source file that is larger is not read for a frame. */
export const SOURCE_BYTES_MAX = 4 * 1024 * 1024;
/** Lines around the one that is meant: at the terminal, on the page. */
export const LINES_AROUND_TERMINAL = 2;
export const LINES_AROUND_PAGE = 6;
export const LINE_CHARS_MAX = 300;
/** Frames of the application that have their source on the page. */
export const SOURCES_MAX = 20;
/** Frames of the application that the terminal lists. */
export const FRAMES_TERMINAL_MAX = 8;
/** The same error is not printed in full again within this time. */
export const REPEAT_MS = 2_000;

/** A page of the application that is longer gets no script. */
export const INJECTED_BYTES_MAX = 4 * 1024 * 1024;
