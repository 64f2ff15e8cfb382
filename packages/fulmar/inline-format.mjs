// The constants of the batch (`src/exchange/format.ts`) as numbers in what uses them: QuickJS would look each of them up, object and
// property, some hundred times for a request.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const format = join(dirname(fileURLToPath(import.meta.url)), 'src', 'exchange', 'format.ts');

/** `Event.slot` → 1, for every object of numbers that the file exports. */
function readConstants() {
  const constants = new Map();
  for (const [, name, body] of readFileSync(format, 'utf8').matchAll(/^export const (\w+) = \{([^}]*)\} as const;/gm)) {
    for (const [, member, value] of body.matchAll(/\b(\w+): (\d+)(?=,|\s*$)/gm)) constants.set(`${name}.${member}`, value);
  }
  return constants;
}

const importsFormat = /^import \{([^}]*)\} from '[^']*\/format\.ts';$/m;

export const inlineFormat = {
  name: 'inline-format',
  transform: {
    filter: { id: /src[\\/](?:exchange|http)[\\/][\w-]+\.ts$/ },
    handler(code) {
      const names = importsFormat.exec(code)?.[1];
      if (names === undefined) return undefined;
      const constants = readConstants();
      return {
        code: code.replaceAll(/\b([A-Z]\w+)\.(\w+)\b/g, (text) =>
          names.includes(text.split('.')[0]) ? (constants.get(text) ?? text) : text,
        ),
        map: null,
      };
    },
  },
};
