/**
 * What is known of the engine before it is loaded, by whoever looks for it or tells of it.
 */

/**
 * `linux-x64-gnu`, `linux-arm64-musl`, `darwin-arm64` …: the kind of machine it is built for. Node built
 * against musl says so in its configuration.
 */
export function platformTag(): string {
  const { is_musl: isMusl } = process.config.variables as { is_musl?: boolean };
  const libc = process.platform === 'linux' ? (isMusl === true ? '-musl' : '-gnu') : '';
  return `${process.platform}-${process.arch}${libc}`;
}

/** The code of the errors that say why there is none (`exchange/addon-problems.ts`). */
export const ENGINE_UNAVAILABLE = 'FULMAR_ENGINE_UNAVAILABLE';
