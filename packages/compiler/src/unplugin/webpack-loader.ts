/** The loader of webpack and Rspack: a file of its own, which they load by its path, in workers too. */
import type { Compiled } from '../index.ts';
import { compileModule, placeOf, textOf } from './compile-module.ts';

interface LoaderContext {
  readonly resourcePath: string;
  readonly resourceQuery: string;
  addDependency(file: string): void;
  callback(error: Error | null, code?: string, map?: Compiled['map']): void;
}

export default function loader(this: LoaderContext, code: string, map?: Compiled['map']): void {
  const outcome = this.resourceQuery === '' ? compileModule(this.resourcePath, code) : undefined;
  if (outcome === undefined) return this.callback(null, code, map);
  for (const file of outcome.watched) this.addDependency(file);
  const { made, problems } = outcome;
  if (made !== undefined) return this.callback(null, made.code, made.map);
  const error = new SyntaxError(problems.map((one) => `${placeOf(one)} ${textOf(one)}`).join('\n'));
  // Where it is wrong stands in the text; our stack says nothing.
  return this.callback(Object.assign(error, { hideStack: true, stack: `SyntaxError: ${error.message}` }));
}
