/**
 * `codec(name, Class, { encode, decode })`: an application says how instances of a class of its own are sent. The
 * compiler reads the call for the type of what is sent; what it does is done at run time, here.
 */
import { type Codec as Known, codecOf, reads, register } from '../shape/validate/codecs.ts';
import { nameOfKind } from '../shape/validate/kind.ts';

export interface Codec<Instance, Wire> {
  readonly name: string;
  readonly encode: (value: Instance) => Wire;
  readonly decode: (wire: Wire) => Instance;
}

/**
 * From now on values of the class have a form in JSON: what `encode` gives, of which `decode` makes an instance. A
 * `decode` that throws refuses the value. Stands in the file of the class, or in one that is imported where its type
 * is named. @throws TypeError
 */
export function codec<Instance, Wire>(
  name: string,
  of: { readonly prototype: Instance },
  { encode, decode }: Omit<Codec<Instance, Wire>, 'name'>,
): Codec<Instance, Wire> {
  if (typeof of !== 'function') throw new TypeError(`codec('${name}') takes a class, and this is ${nameOfKind(of)}.`);
  if (typeof encode !== 'function' || typeof decode !== 'function')
    throw new TypeError(`codec('${name}', …) takes { encode, decode }, and they are ${nameOfKind(encode)} and ${nameOfKind(decode)}.`);
  const made = of as new () => unknown;
  register(name, { is: (value) => value instanceof made, encode: encode as Known['encode'], decode: decode as Known['decode'] });
  return Object.freeze({ name, encode, decode });
}

/** For compiled code: the codec as it is registered when a value comes. */
export function codecFor(name: string): Known & { readonly reads: (wire: unknown) => boolean } {
  return {
    is: (value) => codecOf(name).is(value),
    encode(value) {
      const known = codecOf(name);
      if (!known.is(value)) throw new TypeError(`stringify: ${name} is expected by the type, and this is ${nameOfKind(value)}`);
      return known.encode(value);
    },
    decode: (wire) => codecOf(name).decode(wire),
    reads: (wire) => reads(codecOf(name), wire),
  };
}
