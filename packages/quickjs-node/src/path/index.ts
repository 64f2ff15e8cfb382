/** `node:path` */
import later from 'fulmar:later';
import { posix } from './posix-path.ts';

// Windows' paths are rarely used elsewhere: loaded at the first look.
Object.defineProperty(posix, 'win32', {
  get() {
    const { win32 } = later<typeof import('./win32.later.ts')>();
    win32.posix = posix;
    Object.defineProperty(posix, 'win32', { value: win32, writable: true, enumerable: true, configurable: true });
    return win32;
  },
  enumerable: true,
  configurable: true,
});

export default posix;
