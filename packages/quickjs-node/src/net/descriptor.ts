/**
 * Sockets on descriptors that are open already.
 */
import { coded } from '../shared/errors.ts';
import { errnoException } from '../shared/errno.ts';
import { validateInt32 } from '../shared/validators.ts';
import { Pipe } from './handle.ts';
import type { StreamHandle } from './handle.ts';

/** Takes over `fd`; files and directories are refused. */
export function openDescriptor(fd: unknown): StreamHandle {
  validateInt32(fd, 'fd', 0);
  const handle = new Pipe();
  const errno = handle.open(fd);
  const EPERM = -1;
  if (errno === EPERM) throw coded(TypeError, 'ERR_INVALID_FD_TYPE', 'Unsupported fd type: FILE');
  if (errno < 0) throw errnoException(errno, 'open');
  return handle;
}
