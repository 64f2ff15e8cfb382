/**
 * Which content coding a client gets: its `Accept-Encoding` (RFC 9110, 12.5.3) against what there is. Pure.
 */

export type Coding = 'zstd' | 'br' | 'gzip' | 'deflate';
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip', 'deflate'];

export interface Choice {
  /** Null: as it is. */
  readonly coding: Coding | null;
  /** The client takes nothing that is not coded. */
  readonly isForced: boolean;
}

const AS_IT_IS: Choice = { coding: null, isForced: false };

/** Of what the client likes best the first of `offered`. No field: a client that may know none. */
export function chooseCoding(accepted: string | undefined, offered: readonly Coding[]): Choice {
  if (accepted === undefined) return AS_IT_IS;
  const weights = weightsOf(accepted);
  const others = weights.get('*');
  let coding: Coding | null = null;
  let best = 0;
  for (const one of offered) {
    const weight = weights.get(one) ?? others ?? 0;
    if (weight > best) {
      best = weight;
      coding = one;
    }
  }
  if (coding === null) return AS_IT_IS;
  const identity = weights.get('identity');
  if (identity !== undefined && identity > best) return AS_IT_IS;
  return { coding, isForced: (identity ?? others) === 0 };
}

/** By coding in lower case, 0 to 1. What has no weight that could be read is left out. */
function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of accepted.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (name === '') continue;
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const weight =
      given === undefined ? 1 : /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given.slice('q='.length)) : Number.NaN;
    if (!Number.isNaN(weight)) weights.set(name === 'x-gzip' ? 'gzip' : name, weight);
  }
  return weights;
}
