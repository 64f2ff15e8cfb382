/**
 * Where an application says how its decorators are compiled: the tsconfig nearest to its main file, with the line. Asked
 * for messages alone; without a file system it says nothing of places.
 */

/** `(/app/tsconfig.json:7)`, or what to do where there is none. */
export function tsconfigPlace(option: string): string {
  const found = findTsconfig();
  if (found === null) return `in "compilerOptions" of a tsconfig.json beside the application's main file`;
  const lines = found.text.split('\n');
  const at = lineOf(lines, option) ?? lineOf(lines, 'compilerOptions') ?? 1;
  return `in "compilerOptions" (${found.file}:${at})`;
}

function lineOf(lines: readonly string[], name: string): number | null {
  const index = lines.findIndex((line) => line.trimStart().startsWith(`"${name}"`));
  return index < 0 ? null : index + 1;
}

function findTsconfig(): { readonly file: string; readonly text: string } | null {
  // Where there is no Node there are no files of the application either.
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  const path = globalThis.process?.getBuiltinModule?.('node:path');
  if (fs === undefined || path === undefined) return null;
  for (const start of [process.argv[1], path.join(process.cwd(), 'x')]) {
    if (start === undefined) continue;
    for (let folder = path.dirname(start); ; folder = path.dirname(folder)) {
      const file = path.join(folder, 'tsconfig.json');
      if (fs.existsSync(file)) return { file, text: fs.readFileSync(file, 'utf8') };
      if (path.dirname(folder) === folder) break;
    }
  }
  return null;
}
