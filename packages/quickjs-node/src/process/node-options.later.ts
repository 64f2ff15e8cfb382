/**
 * Options that Node takes from the variable NODE_OPTIONS. Those that this host knows are read here; others
 * are left alone.
 */

let words: string[] | undefined;

function split(text: string): string[] {
  const found: string[] = [];
  for (const [, quoted, plain] of text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)) {
    found.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/g, '$1'));
  }
  return found;
}

/** The option's value, `''` for one without a value, undefined when it is not given. The last one counts. */
export function nodeOption(name: string): string | undefined {
  words ??= split(process.env['NODE_OPTIONS'] ?? '');
  let value: string | undefined;
  for (const word of words) {
    if (word === name) value = '';
    else if (word.startsWith(`${name}=`)) value = word.slice(name.length + 1);
  }
  return value;
}

export function hasNodeOption(name: string): boolean {
  return nodeOption(name) !== undefined;
}
