/**
 * `fulmar-compiler/eslint`: rules for ESLint's flat configuration. They ask the compiler's own checker, and so need no
 * type information of the parser's; which parser reads the TypeScript is the configuration's.
 */
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { typescriptVersion } from '../cache.ts';
import type { Finding, RuleName } from '../lint/finding-types.ts';
import { TYPESCRIPT } from '../program/mentions.ts';

interface RuleContext {
  readonly filename: string;
  readonly physicalFilename: string;
  readonly sourceCode: { readonly text: string };
  report(problem: { message: string; loc: { start: Finding['start']; end: Finding['end'] } }): void;
}

interface Rule {
  readonly meta: { readonly type: 'problem'; readonly docs: { readonly description: string }; readonly schema: readonly [] };
  create(context: RuleContext): { Program?(): void };
}

const require = createRequire(__filename);

function ruleOf(name: RuleName, description: string): Rule {
  return {
    meta: { type: 'problem', docs: { description }, schema: [] },
    create(context) {
      const { filename, physicalFilename, sourceCode } = context;
      // A part of another file (a block of code in a document) has no imports that could be followed.
      if (filename !== physicalFilename || !isAbsolute(filename) || !TYPESCRIPT.test(filename)) return {};
      return {
        Program() {
          typescriptVersion();
          const { inspect } = require('./compile.cjs') as typeof import('../compile.ts');
          for (const { message, start, end } of inspect(name, filename, sourceCode.text)) context.report({ message, loc: { start, end } });
        },
      };
    },
  };
}

const { version } = require('../package.json') as { version: string };

const rules = {
  'typed-routes': ruleOf('typed-routes', 'What clients send to routes and procedures has types that can be checked'),
  'no-unreachable-union': ruleOf('no-unreachable-union', 'No member of a union takes all that a later one would'),
};

const plugin = { meta: { name: 'fulmar-compiler', version }, rules };

export const { meta } = plugin;
export const configs = {
  recommended: {
    name: 'fulmar/recommended',
    plugins: { fulmar: plugin },
    rules: { 'fulmar/typed-routes': 'error', 'fulmar/no-unreachable-union': 'error' },
  },
} as const;
export { rules };
