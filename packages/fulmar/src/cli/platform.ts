/**
 * The kind of machine that an engine is built for, as its file is named.
 *
 * Used by `fulmar build` and by the files it makes.
 */

/** `linux-x64-gnu`, `linux-arm64-musl`, `darwin-arm64` … */
export function platformTag(): string {
  const { is_musl: isMusl } = process.config.variables as { is_musl?: boolean };
  const libc = process.platform === 'linux' ? (isMusl === true ? '-musl' : '-gnu') : '';
  return `${process.platform}-${process.arch}${libc}`;
}
