// Which functions of the runtime take bytes, and as which argument: read from the declarations that
// `packages/quickjs-node` and `src/exchange` are checked against, so that a new function without a case is
// noticed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/host.ts';

const FILES = ['packages/quickjs-node/src/ops.d.ts', 'packages/quickjs-node/src/crypto/more-ops.ts', 'packages/fulmar/src/exchange/binding.ts'];
const TAKES_BYTES = /\b(?:Uint8Array|Uint32Array|ArrayBufferView|ArrayBuffer|ArrayBufferLike|FilePath|Bytes)\b/;

/** Of the addon alone. */
const OF_NODE = 'Binding.deflate chunk';

/** `Interface.method argument` */
export function bytesArguments(): readonly string[] {
  const all = FILES.flatMap((file) => argumentsIn(readFileSync(join(root, file), 'utf8')));
  return all.filter((name) => name !== OF_NODE).sort();
}

function argumentsIn(text: string): string[] {
  const found: string[] = [];
  const plain = text.replaceAll(/\/\*\*.*?\*\//gs, '');
  let owner = '';
  for (const { index, groups } of plain.matchAll(/\binterface (?<owner>\w+)|^\s+(?<method>\w+)\??\(/gm)) {
    owner = groups?.['owner'] ?? owner;
    const method = groups?.['method'];
    if (method === undefined) continue;
    for (const argument of split(plain, plain.indexOf('(', index) + 1)) {
      const [, name, type] = /^\s*(\w+)\??:(.*)$/s.exec(argument) ?? [];
      // A function that is given is no bytes.
      if (name !== undefined && type !== undefined && !/^\s*(?:\(|Done<)/.test(type) && TAKES_BYTES.test(type)) found.push(`${owner}.${method} ${name}`);
    }
  }
  return found;
}

/** The arguments of a list that begins at `from`. */
function split(text: string, from: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = from;
  for (let at = from; ; at += 1) {
    const character = text.charAt(at);
    if (character === '') throw new Error('an argument list does not end');
    if ('([{'.includes(character)) depth += 1;
    if (depth === 0 && (character === ',' || character === ')')) {
      parts.push(text.slice(start, at));
      start = at + 1;
      if (character === ')') return parts;
    }
    if (')]}'.includes(character)) depth -= 1;
  }
}
