/**
 * The constants of the batch (`src/exchange/format.ts`) as numbers in what uses them: QuickJS would look each
 * of them up, object and property, some hundred times for a request. An import that this pass cannot follow
 * (`A as B`, `* as F`) is an error.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expectAll } from './met.mjs';
import { applyEdits, namesIn, parse } from './syntax.mjs';

/** `Event.slot` → 1, for every object of numbers that the text of `format.ts` exports. */
export function readConstants(text) {
  const constants = new Map();
  for (const [, name, body] of text.matchAll(/^export const (\w+) = \{([^}]*)\} as const;/gm)) {
    for (const [, member, value] of body.matchAll(/\b(\w+): (\d+)(?=,|\s*$)/gm)) constants.set(`${name}.${member}`, value);
  }
  if (constants.size === 0) throw new Error('inline-format: format.ts has no constants');
  return constants;
}

/** The names that a source imports of `format.ts`, whose path is `format`. */
function importsOf(program, file, format) {
  const isFormat = ({ type, source, importKind }) =>
    type === 'ImportDeclaration' && importKind !== 'type' && resolve(dirname(file), source.value) === format;
  const specifiers = program.body.filter(isFormat).flatMap((statement) => statement.specifiers);
  for (const { type, imported, local } of specifiers) {
    if (type !== 'ImportSpecifier' || imported.name !== local.name) {
      throw new Error(`inline-format: ${file} imports format.ts as ${local.name}; import what it exports, by its own name`);
    }
  }
  return new Set(specifiers.map(({ local }) => local.name));
}

/** `code` with numbers, or undefined where it imports none of them. */
export function inlineConstants(code, constants, { file, format }) {
  const program = parse(code, 'source.ts');
  const imported = importsOf(program, file, format);
  if (imported.size === 0) return undefined;
  const edits = namesIn(program).flatMap(({ name, start, parent }) => {
    const isMember = imported.has(name) && parent.type === 'MemberExpression' && !parent.computed && parent.object.start === start;
    const number = isMember ? constants.get(`${name}.${parent.property.name}`) : undefined;
    return number === undefined ? [] : [[start, parent.end, number]];
  });
  return applyEdits(code, edits);
}

/** @param {string} format the path of `format.ts` */
export function inlineFormat(format) {
  const met = expectAll('inline-format', ['an import of format.ts']);
  let constants;
  return {
    name: 'inline-format',
    buildStart: () => void (constants = readConstants(readFileSync(format, 'utf8'))),
    transform: {
      filter: { id: /src[\\/].*\.ts(?:\?.*)?$/, code: '/format.ts' },
      handler(code, id) {
        const inlined = inlineConstants(code, constants, { file: id.replace(/\?.*$/, ''), format });
        if (inlined === undefined) return undefined;
        met.meet('an import of format.ts');
        return { code: inlined, map: null };
      },
    },
    generateBundle: () => met.check(),
  };
}
