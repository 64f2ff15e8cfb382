/** What types make of objects of other languages; compiled by the type check, never run. */
import { type GuestObject, python } from '../../src/polyglot/index.ts';

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
