/**
 * Parameters of Ruby as lists of TypeScript, one for each way to call it. Arguments by name, and the block (`'&'`), are the last one,
 * `kwargs({ … })`. Pure.
 */
import type { Way } from '../annotations.ts';
import { propertyName } from '../lines.ts';
import { RESERVED } from '../signatures.ts';
import type { RubyFunction, RubyParameter } from './types.ts';
import type { RubyTypes } from './ruby-types.ts';

/** With more that may be left out, not every number of them has a list. */
const LISTS_MAX = 4;

const grouped = (type: string): string => (/^readonly |[|&]|=>/.test(type) ? `(${type})` : type);

export function parameterLists(one: RubyFunction, types: RubyTypes, way: Way): string[] {
  const of = (...kinds: readonly RubyParameter['kind'][]): RubyParameter[] => one.parameters.filter(({ kind }) => kinds.includes(kind));
  const [required, optional, trailing] = [of('required'), of('optional'), of('trailing')];
  const [rest] = of('rest');
  const named = namedOf(one, types, way);
  const name = new Namer();
  const typed = (parameter: RubyParameter, mark = ''): string => `${name.of(parameter)}${mark}: ${types.typeOf(parameter.type, way)}`;
  const before = required.map((each) => typed(each));
  const may = optional.map((each) => ({ text: typed(each), optional: typed(each, '?') }));
  const behind = trailing.map((each) => typed(each));
  const restName = rest === undefined ? '' : name.of(rest);
  const lists: string[] = [];
  const counts = countsOf(may.length);
  const withLast = (last: readonly string[]): void => {
    for (const count of counts) {
      const isRest = rest !== undefined && count === may.length;
      const some = [...before, ...may.slice(0, count).map(({ text }) => text)];
      lists.push([...some, ...behind, ...last].join(', '));
      if (isRest)
        lists.push(
          [...some, `...${restName}: readonly [...${restOf(rest, types, way)}, ${[...behind, ...last].map(typeIn).join(', ')}]`].join(', '),
        );
    }
  };
  if (!named.isRequired && trailing.length === 0) {
    const more = rest === undefined ? [] : [`...${restName}: readonly ${restOf(rest, types, way)}`];
    lists.push([...before, ...may.map((each) => each.optional), ...more].join(', '));
  } else if (!named.isRequired) withLast([]);
  if (named.members.length > 0) withLast([`${name.unused('named')}: NamedArguments<{ ${named.members.join('; ')} }>`]);
  return [...new Set(lists)];
}

const restOf = (rest: RubyParameter, types: RubyTypes, way: Way): string => `${grouped(types.typeOf(rest.type, way))}[]`;

/** Of `name: type`. */
const typeIn = (parameter: string): string => parameter.slice(parameter.indexOf(': ') + 2);

function countsOf(optional: number): number[] {
  return optional > LISTS_MAX ? [0, optional] : Array.from({ length: optional + 1 }, (_, at) => at);
}

/** What is given by name, the block included. */
function namedOf({ parameters, block }: RubyFunction, types: RubyTypes, way: Way): { members: string[]; isRequired: boolean } {
  const members = parameters
    .filter(({ kind }) => kind === 'named' || kind === 'optional named')
    .map(({ name, type, kind }) => `${propertyName(name ?? '')}${kind === 'named' ? '' : '?'}: ${types.typeOf(type, way)}`);
  if (block !== undefined) members.push(`'&'${block.isOptional ? '?' : ''}: ${types.functionOf(block.function, way)}`);
  if (parameters.some(({ kind }) => kind === 'named rest')) members.push('[name: string]: unknown');
  return { members, isRequired: block?.isOptional === false || parameters.some(({ kind }) => kind === 'named') };
}

/** Names of parameters, each once; RBS need not have them. */
class Namer {
  readonly #used = new Map<RubyParameter, string>();

  of(parameter: RubyParameter): string {
    const known = this.#used.get(parameter);
    if (known !== undefined) return known;
    const fallback = parameter.kind === 'rest' ? 'rest' : `argument${this.#used.size + 1}`;
    const made = this.unused(
      parameter.name === undefined ? fallback : RESERVED.has(parameter.name) ? `${parameter.name}_` : parameter.name,
    );
    this.#used.set(parameter, made);
    return made;
  }

  unused(name: string): string {
    let tried = name;
    while ([...this.#used.values()].includes(tried)) tried += '_';
    return tried;
  }
}
