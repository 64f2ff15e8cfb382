/**
 * The type of a path's parameters, read from the text of the path as pattern.ts reads it:
 * `ParamsOf<'/users/:id/:tab?/*rest'>` is
 * `{ readonly id: string; readonly tab?: string; readonly rest: string }`. Nothing of it is there at run
 * time.
 */

type Upper =
  | 'A'
  | 'B'
  | 'C'
  | 'D'
  | 'E'
  | 'F'
  | 'G'
  | 'H'
  | 'I'
  | 'J'
  | 'K'
  | 'L'
  | 'M'
  | 'N'
  | 'O'
  | 'P'
  | 'Q'
  | 'R'
  | 'S'
  | 'T'
  | 'U'
  | 'V'
  | 'W'
  | 'X'
  | 'Y'
  | 'Z';
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type NameCharacter = Upper | Lowercase<Upper> | Digit | '_' | '$';

/** The name that `Text` begins with, and what is behind it. */
type SplitName<Text extends string, Name extends string = ''> = Text extends `${infer First}${infer Behind}`
  ? First extends NameCharacter
    ? SplitName<Behind, `${Name}${First}`>
    : [name: Name, behind: Text]
  : [name: Name, behind: ''];

/** `Path` without its escapes, so that a ':' or '*' that is left means a parameter. */
type WithoutEscapes<Path extends string> = Path extends `${infer Before}\\${infer _Escaped}${infer Behind}`
  ? `${Before}!${WithoutEscapes<Behind>}`
  : Path;

/** Names, an optional one with its '?'. */
type NamedParameters<Path extends string, Names extends string = never> = Path extends `${string}:${infer Behind}`
  ? SplitName<Behind> extends [infer Name extends string, infer Left extends string]
    ? NamedParameters<Left, Names | (Left extends `?${string}` ? `${Name}?` : Name)>
    : never
  : Names;

type RestParameter<Path extends string> = Path extends `${string}/*${infer Name}` ? (Name extends '' ? '*' : Name) : never;

type Names<Path extends string> = NamedParameters<Path> | RestParameter<Path>;

type Values<Name extends string> = { readonly [Key in Name as Key extends `${string}?` ? never : Key]: string } & {
  readonly [Key in Name as Key extends `${infer Optional}?` ? Optional : never]?: string;
};

/** One object type instead of two, for messages and hints of an editor. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** The parameters of a path; of a path that is not known to the compiler, any. */
export type ParamsOf<Path extends string> = Path extends string
  ? {} extends Record<Path, unknown>
    ? Readonly<Record<string, string>>
    : Flat<Values<Names<WithoutEscapes<Path>>>>
  : never;
