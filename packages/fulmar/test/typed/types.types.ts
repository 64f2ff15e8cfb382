/** What the functions and types of `fulmar/types` are to TypeScript. Checked by `tsc` alone. */
import { createApp } from '../../src/app/index.ts';
import {
  assert,
  decode,
  type Default,
  type Email,
  encode,
  type Int,
  type Int64,
  type Issue,
  type Min,
  parse,
  route,
  sample,
  schema,
  stringify,
  type UnknownKeys,
  validate,
} from '../../src/typed/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(): T | undefined => undefined;

interface User {
  id: Int & Min<1>;
  mail?: Email;
  size: number & Default<3>;
}

// Phantoms: plain values are values of the types.
export const user: User = { id: 1, mail: 'a@example.com', size: 2 };
export const big: Int64 = 5n;
export const strict: { a: string } & UnknownKeys<'reject'> = { a: 'b' };
// @ts-expect-error: a text is no number
export const wrong: Int = 'a';
// @ts-expect-error: of a number there is no bigint minimum that is a text
export type NoMin = Min<'1'>;

export function narrow(value: unknown): number {
  if (validate<User>(value)) return value.id;
  // @ts-expect-error: it is not known what it is
  return value.id;
}
same<Same<ReturnType<typeof validate<User>>, boolean>>();
same<Same<ReturnType<typeof assert<User>>, User>>();
same<Same<ReturnType<typeof parse<User>>, User>>();
same<Same<ReturnType<typeof sample<User>>, User>>();
export const text: string = stringify({ a: 1 });
// @ts-expect-error: a value of another type
stringify<User>({ id: 1 });
export const bytes: Uint8Array = encode({ a: 1 });
// @ts-expect-error: a value of another type
encode<User>({ id: 1 });
same<Same<ReturnType<typeof decode<User>>, User>>();
// @ts-expect-error: a text is no bytes
decode<User>('');
export const users: User[] = ([1, 'a', user] as unknown[]).filter(validate<User>);

const checked = schema<User>()['~standard'].validate(1);
if (checked.issues === undefined) same<Same<typeof checked.value, User>>();
else same<Same<typeof checked.issues, readonly Issue[]>>();

createApp().post('/users', { body: schema<User>() }, (c) => {
  same<Same<typeof c.body, User>>();
  return c.body.id;
});

interface Bird {
  name: string;
  weight: number;
  seen?: Date[];
}
const app = createApp();
app.post('/birds/:id', route<{ body: Bird; query: { page: number }; response: Bird }>(), (c) => {
  same<Same<typeof c.body, Bird>>();
  same<Same<typeof c.query, { page: number }>>();
  same<Same<typeof c.params, { readonly id: string }>>();
  return c.body;
});
app.get('/birds', { ...route<{ response: { 200: Bird[]; 404: string } }>(), summary: 'All.' }, (c) => (c.method === '' ? 'none' : []));
// @ts-expect-error: a member has another type
app.get('/birds', route<{ response: Bird }>(), () => ({ name: 'a', weight: '1' }));
// @ts-expect-error: the same of a schema of a type
app.get('/birds', { response: schema<Bird>() }, async () => ({ name: 7, weight: 1 }));
// @ts-expect-error: no place of a route is called so
route<{ content: Bird }>();
