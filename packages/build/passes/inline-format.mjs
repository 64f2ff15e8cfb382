/**
 * The constants of the batch (`src/exchange/format.ts`) as numbers in what uses them: QuickJS would look each of them up, object and property,
 * some hundred times for a request.
 */
import { readFileSync } from 'node:fs';
import { expectAll } from './met.mjs';

/** `Event.slot` → 1, for every object of numbers that the text of `format.ts` exports. */
export function readConstants(text) {
  const constants = new Map();
  for (const [, name, body] of text.matchAll(/^export const (\w+) = \{([^}]*)\} as const;/gm)) {
    for (const [, member, value] of body.matchAll(/\b(\w+): (\d+)(?=,|\s*$)/gm)) constants.set(`${name}.${member}`, value);
  }
  if (constants.size === 0) throw new Error('inline-format: format.ts has no constants');
  return constants;
}

const importsFormat = /^import \{([^}]*)\} from '[^']*\/format\.ts';$/m;

/** `code` with numbers, or undefined where it imports none of them. */
export function inlineConstants(code, constants) {
  const names = importsFormat
    .exec(code)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  if (names === undefined) return undefined;
  return code.replaceAll(/\b([A-Z]\w+)\.(\w+)\b/g, (text, name) => (names.includes(name) ? (constants.get(text) ?? text) : text));
}

/** @param {string} format the path of `format.ts` */
export function inlineFormat(format) {
  const met = expectAll('inline-format', ['an import of format.ts']);
  let constants;
  return {
    name: 'inline-format',
    buildStart: () => void (constants = readConstants(readFileSync(format, 'utf8'))),
    transform: {
      filter: { id: /src[\\/](?:exchange|http)[\\/][\w-]+\.ts$/ },
      handler(code) {
        const inlined = inlineConstants(code, constants);
        if (inlined === undefined) return undefined;
        met.meet('an import of format.ts');
        return { code: inlined, map: null };
      },
    },
    generateBundle: () => met.check(),
  };
}
