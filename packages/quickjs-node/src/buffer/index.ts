/** `node:buffer` */
import later from 'fulmar:later';
import { Buffer, kMaxLength, kStringMaxLength } from './class.ts';
import { setShownMax, shown } from './methods.ts';
import { atob, btoa, isAscii, isUtf8, transcode } from './text.ts';

const buffer = {
  Buffer,
  transcode,
  isUtf8,
  isAscii,
  kMaxLength,
  kStringMaxLength,
  btoa,
  atob,
};

Object.defineProperties(buffer, {
  constants: {
    value: Object.defineProperties(
      {},
      {
        MAX_LENGTH: { value: kMaxLength, enumerable: true },
        MAX_STRING_LENGTH: { value: kStringMaxLength, enumerable: true },
      },
    ),
    enumerable: true,
  },
  INSPECT_MAX_BYTES: {
    get: () => shown.bytesMax,
    set(value: unknown) {
      setShownMax(value);
    },
    enumerable: true,
    configurable: true,
  },
});

const blobs = (): Record<string, unknown> => later<typeof import('../web/blob.later.ts')>() as Record<string, unknown>;

for (const name of ['Blob', 'File']) {
  Object.defineProperty(buffer, name, { get: () => blobs()[name], enumerable: true, configurable: true });
}
Object.assign(buffer, {
  resolveObjectURL: (url: unknown): unknown => (blobs()['resolveObjectURL'] as (url: unknown) => unknown)(url),
});

export default buffer;
