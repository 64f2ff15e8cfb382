/**
 * The port of an application that only is exported: nobody but us reads `--port` and `PORT` for it.
 */

export const defaultPort = 3000;
const PORT_MAX = 65_535;

/** `--port` of its arguments, then the variable, then its own. @throws RangeError for what is no port */
export function portOf(args: readonly string[], variable: string | undefined, own: unknown): number | undefined {
  const at = args.findIndex((word) => word === '--port' || word === '-p');
  const inline = args.find((word) => word.startsWith('--port='))?.slice('--port='.length);
  const given: readonly (readonly [name: string, value: unknown])[] = [
    ['--port', inline ?? (at < 0 ? undefined : (args[at + 1] ?? ''))],
    ['PORT', variable === '' ? undefined : variable],
    ['port of what is exported', own],
  ];
  const found = given.find(([, value]) => value !== undefined && value !== null);
  if (found === undefined) return undefined;
  const [name, value] = found;
  const port = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
  if (!Number.isInteger(port) || port < 0 || port > PORT_MAX)
    throw new RangeError(`${name} is a port, 0 to ${PORT_MAX}, and this is ${JSON.stringify(value)}.`);
  return port;
}
