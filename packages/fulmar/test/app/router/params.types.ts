/** The parameters that the type checker reads from paths: never run, checked with the sources. */
import type { ParamsOf } from '../../../src/app/router/params-types.ts';

/** `true` only for types that are the same, optional and readonly members as well. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

type Any = Readonly<Record<string, string>>;

/** One for each path below: an entry that is `false` is no `true`. */
export const same: readonly true[] = [
  true satisfies Same<ParamsOf<'/'>, {}>,
  true satisfies Same<ParamsOf<'/users'>, {}>,
  true satisfies Same<ParamsOf<'/users/:id'>, { readonly id: string }>,
  true satisfies Same<ParamsOf<'/:a/b/:c/'>, { readonly a: string; readonly c: string }>,
  true satisfies Same<ParamsOf<'/users/:id/:tab?/*rest'>, { readonly id: string; readonly rest: string; readonly tab?: string }>,
  true satisfies Same<ParamsOf<'/:a?/:b?'>, { readonly a?: string; readonly b?: string }>,
  true satisfies Same<ParamsOf<'/*'>, { readonly '*': string }>,
  true satisfies Same<ParamsOf<'/files/*path'>, { readonly path: string }>,
  true satisfies Same<ParamsOf<'/:name.json'>, { readonly name: string }>,
  true satisfies Same<ParamsOf<'/v:major-:minor'>, { readonly major: string; readonly minor: string }>,
  true satisfies Same<ParamsOf<'/:$a_1B'>, { readonly $a_1B: string }>,
  true satisfies Same<ParamsOf<'/a\\:b'>, {}>,
  true satisfies Same<ParamsOf<'/\\*a/\\\\:b/:c\\:d'>, { readonly b: string; readonly c: string }>,
  true satisfies Same<ParamsOf<string>, Any>,
  true satisfies Same<ParamsOf<`/users/${string}`>, Any>,
  true satisfies Same<ParamsOf<'/:a' | '/:b'>, { readonly a: string } | { readonly b: string }>,
];

const params: ParamsOf<'/users/:id/:tab?'> = { id: '7' };
export const id: string = params.id;
export const tab: string | undefined = params.tab;
// @ts-expect-error: an optional parameter may be absent.
export const wrongTab: string = params.tab;
// @ts-expect-error: the path has no such parameter.
export const other: unknown = params.other;
// @ts-expect-error: parameters are not to be written.
params.id = '8';
// @ts-expect-error: a parameter is missing.
export const missing: ParamsOf<'/:a/:b'> = { a: '1' };
// @ts-expect-error: types that differ are not the same, or nothing above tests anything.
export const differs: true = false satisfies Same<ParamsOf<'/:a'>, { readonly a?: string }>;
