/**
 * Makes a chunk export its values instead of getters. rolldown defines a getter for each name that another chunk imports; on the native
 * host each of them is a function to read and to make at the start, and one to call at every use.
 *
 * A getter is needed where the variable changes after the chunk has run: it stays for what is assigned anywhere but in its declaration.
 */

const getters =
  /^Object\.defineProperty\(exports, "([\w$]+)", \{\n  enumerable: true,\n  get: function \(\) \{\n    return ([\w$]+);\n  \}\n\}\);/gm;

/** `code` as rolldown writes it, in CommonJS. */
export function exportPlainly(code) {
  return code.replaceAll(getters, (getter, exported, name) => (changes(code, name) ? getter : `exports.${exported} = ${name};`));
}

/** Functions, classes and constants stay as they are; what rolldown declares by `var` does where nothing else is assigned to it. */
function changes(code, exported) {
  const name = exported.replaceAll('$', '\\$&');
  if (new RegExp(`^(?:const|class|(?:async )?function\\*?|let(?= [\\w$]+ = class)) ${name}(?![\\w$])`, 'm').test(code)) return false;
  const assigned = code.match(new RegExp(`(?<![\\w$.])${name}\\s*(?:[-+*/%&|^?]*=(?![=>])|\\+\\+|--)`, 'g')) ?? [];
  return assigned.length !== 1 || !new RegExp(`^var ${name} = `, 'm').test(code);
}
