/**
 * A file of Python as a declaration file of TypeScript: the module as its default export, its classes as types. Names
 * that begin with `_` are left out; where there is no annotation, `unknown` stands. Pure.
 */
import { Annotations, importedBy, isType, quoted } from './annotations.ts';
import {
  attributeLine,
  classLines,
  dataInterface,
  enumType,
  functionsOf,
  memberLines,
  objectInterface,
  typeOfValue,
} from './class-types.ts';
import { braced, isShown, jsdoc } from './lines.ts';
import type { PythonModule } from './python-module.ts';
import { type PythonClass, Scope } from './scope.ts';

/** @param name that of the file: `model.py` */
export function toDeclarations(module: PythonModule, name: string): string {
  const scope = new Scope(module, isType);
  const annotations = new Annotations(scope);
  const types = scope.classes.flatMap((one) => [...typeLines(one, annotations.in(one)), '']);
  const members = membersOf(module, scope, annotations);
  const text = [...types, ...jsdoc(module.doc), ...braced('declare const module:', members, '};'), 'export default module;'].join('\n');
  const imported = importedBy(text);
  const head = `// Made of ${name} by \`fulmar polyglot types\`: what is changed here is gone when it is made again.`;
  const imports = imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from ${quoted('fulmar/polyglot')};\n`;
  return `${head}\n${imports}\n${text}\n`;
}

function typeLines(one: PythonClass, annotations: Annotations): string[] {
  if (one.kind === 'enum') return enumType(one, annotations);
  return one.kind === 'object' ? objectInterface(one, annotations) : dataInterface(one, annotations);
}

function membersOf({ body }: PythonModule, scope: Scope, annotations: Annotations): string[] {
  const members = new Map<string, string[]>();
  for (const one of body) {
    if (one.kind === 'value' && scope.aliasOf(one.name) === undefined)
      members.set(one.name, [attributeLine(one.name, typeOfValue(one, annotations), annotations)]);
    const known = one.kind === 'class' ? scope.classOf(one.name) : undefined;
    if (known !== undefined && known.kind !== 'dict') members.set(one.name, classLines(known, annotations.in(known)));
  }
  for (const [name, declared] of functionsOf(body)) members.set(name, memberLines(declared, annotations, false));
  return [...members].filter(([name]) => isShown(name)).flatMap(([, lines]) => lines);
}
