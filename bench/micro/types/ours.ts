/** What fulmar-compiler makes of the types. */
import { parse, stringify, validate } from 'fulmar/types';
import type { Dated, Heavy, Item, Light, Tree } from './shapes.ts';

export const checks = {
  light: validate<Light>,
  heavy: validate<Heavy>,
  items: validate<Item[]>,
  numbers: validate<number[]>,
  strings: validate<string[]>,
  tree: validate<Tree>,
};

export const encoders = {
  light: stringify<Light>,
  dated: stringify<Dated>,
  heavy: stringify<Heavy>,
  items: stringify<Item[]>,
  numbers: stringify<number[]>,
  strings: stringify<string[]>,
  tree: stringify<Tree>,
};

export const decoders = {
  light: parse<Light>,
  dated: parse<Dated>,
  heavy: parse<Heavy>,
  items: parse<Item[]>,
  numbers: parse<number[]>,
  strings: parse<string[]>,
  tree: parse<Tree>,
};
