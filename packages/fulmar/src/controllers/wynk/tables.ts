/**
 * `@InjectTable()` and `@InjectModel()`: tables and models of whatever mapper as dependencies. Each has a token of its own;
 * an application of `WynkFactory` provides what the token stands for, any other by `{ provide: getTableToken(users), … }`.
 */
import { Inject } from '../decorators/modules.ts';

const tokens = new WeakMap<object, symbol>();
/** As many as sources name. */
const given = new Map<unknown, object>();

/** @throws TypeError for what is neither an object nor a class */
function tokenOf(who: string, table: unknown): symbol {
  if ((typeof table !== 'object' && typeof table !== 'function') || table === null)
    throw new TypeError(
      `${who}() takes a table or a model, an object or a class, and this is ${table === undefined ? 'undefined: perhaps its file imports this one' : `of type ${typeof table}`}.`,
    );
  let token = tokens.get(table);
  if (token === undefined) {
    const { name } = table as { name?: unknown };
    token = Symbol(typeof name === 'string' && name !== '' ? `table ${name}` : 'table');
    tokens.set(table, token);
    given.set(token, table);
  }
  return token;
}

/** What a token of a table stands for; undefined for any other. */
export const tableOf = (token: unknown): object | undefined => given.get(token);

export const getTableToken = (table: object): symbol => tokenOf('getTableToken', table);
export const InjectTable = (table: object): PropertyDecorator & ParameterDecorator => Inject(tokenOf('InjectTable', table));
export const InjectModel = (model: object): PropertyDecorator & ParameterDecorator => Inject(tokenOf('InjectModel', model));

/** Says that they are none that is undefined: the first use of a table registers it. @throws TypeError that names one */
export function registerTables(tables: Readonly<Record<string, object>>): void {
  for (const [name, table] of Object.entries(tables)) tokenOf(`registerTables({ ${name} })`, table);
}
export { registerTables as registerModels };
