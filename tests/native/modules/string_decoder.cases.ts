import { StringDecoder } from 'node:string_decoder';
import { cases } from '../harness/cases.ts';

/** The text of each piece, with the decoder's state after it. */
function pieces(encoding: string | undefined, bytes: Uint8Array, size: number): unknown[] {
  const decoder = new StringDecoder(encoding as BufferEncoding) as StringDecoder & {
    encoding: string;
    lastNeed: number;
    lastTotal: number;
  };
  const out: unknown[] = [decoder.encoding];
  for (let at = 0; at < bytes.length; at += size) {
    out.push(decoder.write(Buffer.from(bytes.subarray(at, at + size))), decoder.lastNeed, decoder.lastTotal);
  }
  return [...out, decoder.end()];
}

const text = Buffer.concat([Buffer.from('héllo €😀'), Buffer.from([0xe2, 0x82])]);

export default cases('string_decoder', {
  StringDecoder: [
    () => new StringDecoder('nope' as BufferEncoding),
    () =>
      ['utf8', 'utf-8', 'UTF16LE', 'latin1', 'binary', 'hex', 'base64', undefined].map(
        (name) => (new StringDecoder(name as BufferEncoding) as unknown as { encoding: string }).encoding,
      ),
  ],
  'StringDecoder#write': [
    () => [1, 2, 3].map((size) => pieces('utf8', text, size)),
    () => [2, 3].map((size) => pieces('utf16le', Buffer.from('héllo €', 'utf16le'), size)),
    () => [1, 2].map((size) => pieces('base64', text, size)),
    () => pieces('hex', text, 3),
    () => pieces('latin1', text, 3),
    () => pieces(undefined, Buffer.from([0xff, 0x41, 0xf0, 0x80]), 1),
    () => new StringDecoder().write(5 as never),
    () => new StringDecoder().write('text' as never),
  ],
  'StringDecoder#end': [() => new StringDecoder().end(Buffer.from([0xc3])), () => new StringDecoder().end()],
  'StringDecoder#text': [
    () => (new StringDecoder() as unknown as { text(bytes: Buffer, offset: number): string }).text(Buffer.from('abc'), 1),
  ],
  'StringDecoder#lastChar': [
    () => {
      const decoder = new StringDecoder() as StringDecoder & { lastChar: Uint8Array };
      decoder.write(Buffer.from([0xe2, 0x82]));
      return [...decoder.lastChar.subarray(0, 2)];
    },
  ],
  'StringDecoder#lastNeed': [() => (new StringDecoder() as unknown as { lastNeed: number }).lastNeed],
  'StringDecoder#lastTotal': [() => (new StringDecoder() as unknown as { lastTotal: number }).lastTotal],
});
