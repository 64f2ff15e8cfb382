/** Bytes that the states of this folder send, and how much is much. */

/** More than the operating system keeps between two sockets, so that a writer is held up. */
export const HUGE = Buffer.alloc(16 * 1024 * 1024, 'x');
/** More than a stream and a receive take, but the operating system may. */
export const LARGE_BYTES = 1024 * 1024;

export const get = (path = '/', fields = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
export const post = (length: number, fields = ''): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${fields}\r\n`;
export const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
export const content = (length: number): string => 'c'.repeat(length);
