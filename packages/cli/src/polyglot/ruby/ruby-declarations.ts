/**
 * Files of RBS as a declaration file of TypeScript, of the file of Ruby that they are about: as its default export what is imported
 * of it (methods outside of classes, constants, and what the module has that is named as the file is), its classes as types. Pure.
 */
import { importedBy, quoted } from '../annotations.ts';
import { braced } from '../lines.ts';
import type { RubyScope } from './types.ts';
import { RubyClasses } from './ruby-classes.ts';
import { RubyNames } from './ruby-names.ts';

/** @param name that of the file: `text.rb` */
export function rubyDeclarations(files: readonly RubyScope[], name: string): string {
  const names = new RubyNames(files);
  const classes = new RubyClasses(names);
  const main = names.inside('').find((one) => one.name.toLowerCase() === moduleName(name));
  const members = main === undefined ? new Map<string, string[]>() : classes.inside(main);
  for (const method of names.functions)
    if (/^\w+[?!]?$/.test(method.name) && method.name !== 'then') members.set(method.name, classes.methodLines(method));
  for (const constant of names.constants) members.set(constant.name, classes.constantLines(constant));
  for (const one of names.inside('')) members.set(one.name, classes.classLines(one));
  const types = names.classes.filter((one) => one !== main || one.kind === 'class').flatMap((one) => [...classes.typeLines(one), '']);
  const text = [...types, ...braced('declare const module:', [...members.values()].flat(), '};'), 'export default module;'].join('\n');
  const imported = importedBy(text);
  const head = `// Made of ${name} by \`fulmar polyglot types\`: what is changed here is gone when it is made again.`;
  const imports = imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from ${quoted('fulmar/polyglot')};\n`;
  return `${head}\n${imports}\n${text}\n`;
}

/** `text_tools.rb`: `TextTools`, as the guest finds it. */
const moduleName = (file: string): string => file.replace(/\.rb$/, '').replaceAll(/[-_/]/g, '').toLowerCase();
