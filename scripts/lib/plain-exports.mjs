// Makes a chunk export its values instead of getters. rolldown defines a getter for each name that another chunk imports; on the native
// host each of them is a function to read and to make at the start, and one to call at every use.
//
// A getter is needed where the variable changes after the chunk has run: it stays for what is assigned anywhere but in its declaration.

const getters =
  /^Object\.defineProperty\(exports, "([\w$]+)", \{\n  enumerable: true,\n  get: function \(\) \{\n    return ([\w$]+);\n  \}\n\}\);/gm;

/** `code` as rolldown writes it, in CommonJS. */
export function exportPlainly(code) {
  return code.replaceAll(getters, (getter, exported, name) => (changes(code, name) ? getter : `exports.${exported} = ${name};`));
}

function changes(code, name) {
  const assigned = new RegExp(
    `(?<![\\w$.])(?<!(?:^|\\n)(?:const|let|var) )${name.replaceAll('$', '\\$&')}\\s*(?:[-+*/%&|^?]*=(?![=>])|\\+\\+|--)`,
  );
  const declared = new RegExp(
    `^(?:const|let|var|class|function|async function|function\\*|async function\\*) ?\\*? ?${name.replaceAll('$', '\\$&')}\\b(?!,)`,
    'm',
  );
  return assigned.test(code) || !declared.test(code);
}
