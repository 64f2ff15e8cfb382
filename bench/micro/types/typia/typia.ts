/** What typia makes of the types; its generator writes the code into `.cache`. */
import typia from 'typia';
import type { Dated, Heavy, Item, Light, Tree } from '../shapes.ts';

const fail = (): never => {
  throw new TypeError('the value does not fit');
};

/** Members that the type does not name are left out, as ours leave them out. */
const pruned =
  <T>(fits: (value: unknown) => value is T) =>
  (text: string): T => {
    const value: unknown = JSON.parse(text);
    return fits(value) ? value : fail();
  };

export const checks = {
  light: typia.createIs<Light>(),
  heavy: typia.createIs<Heavy>(),
  items: typia.createIs<Item[]>(),
  numbers: typia.createIs<number[]>(),
  strings: typia.createIs<string[]>(),
  tree: typia.createIs<Tree>(),
};

export const encoders = {
  light: typia.json.createStringify<Light>(),
  dated: typia.json.createStringify<Dated>(),
  heavy: typia.json.createStringify<Heavy>(),
  items: typia.json.createStringify<Item[]>(),
  numbers: typia.json.createStringify<number[]>(),
  strings: typia.json.createStringify<string[]>(),
  tree: typia.json.createStringify<Tree>(),
};

export const decoders = {
  light: pruned(typia.misc.createIsPrune<Light>()),
  heavy: pruned(typia.misc.createIsPrune<Heavy>()),
  items: pruned(typia.misc.createIsPrune<Item[]>()),
  numbers: pruned(typia.misc.createIsPrune<number[]>()),
  strings: pruned(typia.misc.createIsPrune<string[]>()),
  tree: pruned(typia.misc.createIsPrune<Tree>()),
};
