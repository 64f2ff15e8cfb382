/**
 * Makes a bundle of ours load what it imports when it is first used, instead of when it is loaded: a start pays for each module that it
 * does not need, on Node with a file to find and read, on the QuickJS host with bytecode to read and functions to make.
 *
 * It works on what rolldown writes, not on any JavaScript: each import is one line at the top level, and is used by its name alone.
 *   const require_x = require("./shared-x.cjs");                      let node_x = require("node:x");
 *                                                                     node_x = require_rolldown_runtime.__toESM(node_x, 1);
 *   var import_x = require_rolldown_runtime.__toESM(require_x(), 1);          var import_x = require_x();
 * become a variable and a function that fills it, and each use is `(x ?? $x())`. The namespace objects that `__toESM` makes, with a getter
 * for each export, are left out: `x.default` is the module itself, other names are its properties. The functions that `depd` makes for a
 * module, with a stack trace each, are made when they are first called, too. No line moves, so that source maps still say where one is.
 * An import without a name (`require("./x.cjs");`) is for its effects and stays where it is.
 */

/** What a bundle stands on: modules that cost nothing, and the entries beneath it, whose classes it extends. */
const eager = /^fulmar:|^\.\/lib-[\w-]+\.cjs$/;
const helpers = /rolldown-runtime\.cjs$/;

const imports = /^(?:const|let) ([\w$]+) = require\("([^"]+)"\);$/gm;
const namespaces = /^([\w$]+) = require_rolldown_runtime\.__toESM\(\1(?:, 1)?\);$/gm;
const commonJs = /^var (import_[\w$]+) = (?:(?:\/\* @__PURE__ \*\/ )?require_rolldown_runtime\.__toESM\((.+), 1\)|([\w$.]+\(\)));$/gm;
const deprecations = /^const (deprecate[\w$]*) = (\(0, import_depd\.default\)\("[\w-]+"\));$/gm;

/** `code` as rolldown writes it, in CommonJS. */
export function requireLazily(code) {
  const interop = new Set([...code.matchAll(namespaces)].map(([, name]) => name));
  const lazy = new Map();
  const put = (name, expression) => {
    lazy.set(name, expression);
    return mark(name);
  };
  let text = code
    .replaceAll(namespaces, '')
    .replaceAll(imports, (line, name, id) => {
      if (helpers.test(id)) return line;
      return eager.test(id) ? `const ${name} = require("${id}");` : put(name, `require("${id}")`);
    })
    .replaceAll(commonJs, (line, name, wrapped, plain) => {
      if (wrapped !== undefined) interop.add(name);
      return put(name, wrapped ?? plain);
    })
    .replaceAll(deprecations, (line, name, expression) => put(name, expression));
  const names = { lazy: [...lazy.keys()], interop: [...interop] };
  text = useLazily(text, names);
  for (const [name, expression] of lazy) {
    text = text.replace(mark(name), () => `let ${name}; const $${name} = () => (${name} = ${useLazily(expression, names)});`);
  }
  return withoutUnusedHelpers(text);
}

/** Stands for a declaration, without the name that is replaced everywhere else. */
const mark = (name) => `/*lazy:${[...name].join('·')}*/`;

function useLazily(text, { lazy, interop }) {
  let result = text;
  for (const name of interop) result = result.replaceAll(whole(`${name}.default`), () => name);
  for (const name of lazy) result = result.replaceAll(whole(name), () => `(${name} ?? $${name}())`);
  return result;
}

/** The name where it is one: not part of another, not a property (but spread by three dots), not within quotes. */
const whole = (name) => new RegExp(`(?<![\\w$"'\`])(?<!(?<!\\.\\.)\\.)${name.replaceAll(/[.$]/g, '\\$&')}(?![\\w$"'\`])`, 'g');

function withoutUnusedHelpers(text) {
  const name = 'require_rolldown_runtime';
  return text.split(name).length > 2 ? text : text.replace(new RegExp(`^const ${name} = require\\(.*\\);$`, 'm'), '');
}
