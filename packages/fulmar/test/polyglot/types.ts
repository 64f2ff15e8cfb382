/** What types make of objects of other languages; compiled by the type check, never run. */
import { type GuestObject, names, Polyglot, python, text } from '../../src/polyglot/index.ts';

interface Model {
  readonly predict: (rows: readonly number[]) => Promise<number>;
}

export async function typed(): Promise<number> {
  const model = await python.import<Model>('./model.py');
  // @ts-expect-error -- no such method
  await model.nothing();
  return model.predict([1]);
}

export async function untyped(): Promise<GuestObject> {
  const model = await python.import('./model.py');
  const score: number = await model.predict([1], 2);
  const layer: string = await model.layers.first.name;
  const made = await new model.Counter(score);
  for await (const value of made.values()) if (value === layer) return made;
  return model.counter();
}

export async function evaluated(): Promise<number> {
  const sum: number = await Polyglot.eval('python', '1 + 1');
  const now: number = Polyglot.eval('python', '1 + 1', { sync: true });
  const upper: string = await Polyglot.eval('python', "'a'").upper();
  const member: string = await Polyglot.import('./model.py').NAME;
  const model = await python.import('./model.py');
  const words: string[] = [await text(model), ...(await names(model)), upper, member];
  return words.length + sum + now;
}
