/** Builds multipart/form-data content by hand, so that broken content can be built too. */

export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly value: string | Buffer;
}

export const BOUNDARY = '----fulmar-test-boundary';
export const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

export function toMultipart(parts: readonly Part[], isEnded = true): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, value }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(isEnded ? `--${BOUNDARY}--\r\n` : '')]);
}
