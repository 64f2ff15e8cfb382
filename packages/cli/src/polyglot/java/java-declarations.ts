/**
 * A class of Java as a declaration file of TypeScript: the class as its default export, its objects and those of the classes
 * that it uses as types. Pure.
 */
import { importedBy, quoted } from '../annotations.ts';
import { braced, jsdoc } from '../lines.ts';
import { TAKEN } from '../scope.ts';
import { JavaClasses } from './java-classes.ts';
import type { JavaClass, JavaModule } from './java-module.ts';
import { identifier, type JavaNames } from './java-types.ts';

/** @param name what was asked for: `Model.java`, `com.acme.Model` */
export function javaDeclarations({ name: className, classes }: JavaModule, name: string): string {
  const names = namesOf(classes);
  const made = new JavaClasses(names);
  const main = names.of.get(className) as JavaClass;
  const types = classes.flatMap((one) => [...made.typeLines(one), '']);
  const text = [
    ...types,
    ...jsdoc(main.doc?.replaceAll(/^ /gm, '')),
    ...braced('declare const module:', made.classLines(main), '};'),
    'export default module;',
  ].join('\n');
  const imported = importedBy(text);
  const head = `// Made of ${name} by \`fulmar polyglot types\`: what is changed here is gone when it is made again.`;
  const imports = imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from ${quoted('fulmar/polyglot')};\n`;
  return `${head}\n${imports}\n${text}\n`;
}

/** The simple name of a class, unless that is another's, or TypeScript's. */
function namesOf(classes: readonly JavaClass[]): JavaNames {
  const names = new Map<string, string>();
  const taken = new Set(TAKEN);
  for (const { name, kind } of classes) {
    const simple = identifier(name.slice(name.lastIndexOf('.') + 1));
    const ends = kind === 'record' ? ['', 'Given', 'Handle'] : [''];
    let tried = simple;
    for (let at = 0; ends.some((end) => taken.has(tried + end)); at += 1) tried = `${simple}${'_'.repeat(at + 1)}`;
    for (const end of ends) taken.add(tried + end);
    names.set(name, tried);
  }
  return { of: new Map(classes.map((one) => [one.name, one])), name: (javaName) => names.get(javaName) ?? 'GuestObject' };
}
