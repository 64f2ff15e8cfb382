/**
 * The context of a handler in a file of routes, by the name of the file. Types alone.
 */
import type { Context } from '../../app/index.ts';
import type { InputTypes, RawInput } from '../../app/route-types.ts';

type Flat<Type> = { readonly [Key in keyof Type]: Type[Key] };

/** `post-[id]-[part]`: all of its names. */
type MixedParams<Segment extends string> = Segment extends `${string}[${infer Name}]${infer Behind}`
  ? { [Key in Name]: string } & MixedParams<Behind>
  : unknown;

type SegmentParams<Segment extends string> = Segment extends `[...${infer Name}]`
  ? { [Key in Name | '*']: readonly string[] }
  : Segment extends `[[${infer Name}]]`
    ? { [Key in Name]?: string }
    : Segment extends `$${infer Name}`
      ? { [Key in Name]: string }
      : MixedParams<Segment>;

type PathParams<Path extends string> = Path extends `${infer Segment}/${infer Behind}`
  ? SegmentParams<Segment> & PathParams<Behind>
  : SegmentParams<Path>;

/** The parameters of a file's path, as it is written: `RouteParams<'users/[id]'>` is `{ id: string }`. */
export type RouteParams<Path extends string> = string extends Path ? Readonly<Record<string, string>> : Flat<PathParams<Path>>;

/**
 * What a handler is given: `RouteContext<'/users/[id]'>`. `Input` are the types of what schemas of the file make of `query`,
 * `headers`, `cookies`, `body`; without one they are as they came.
 */
export type RouteContext<Path extends string = string, Input extends Partial<InputTypes> = {}> = Context<
  RouteParams<Path>,
  Record<string, unknown>,
  { readonly [Key in keyof InputTypes]: Input extends Readonly<Record<Key, infer Made>> ? Made : RawInput[Key] }
>;
