/**
 * `createMock()`: an object whose every method is a mock function and gives such an object again, so that chains of
 * calls work without a word. What it is given is what it says.
 *
 * The functions are those of the test runner at hand, which asserts on them: `jest.fn`, `vi.fn`, or `mock.fn` of
 * `node:test` where nothing is said.
 */
import type { InjectionToken } from '../nest-types.ts';

export type MockFactory = (token?: InjectionToken) => any;

type Fn = (implementation: (...given: any[]) => unknown) => (...given: any[]) => unknown;

export interface CreateMockOptions {
  /** Makes a mock function of an implementation. Default: `mock.fn` of `node:test`. */
  fn?: (implementation: (...given: any[]) => any) => any;
}

type PartialOf<T> = {
  [K in keyof T]?: T[K] extends (...given: infer A) => infer R ? (...given: A) => R : T[K] extends object ? PartialOf<T[K]> : T[K];
};
/** `Function` as `mock.fn()` of the runner gives it: what it adds is the runner's. */
export type Mocked<T> = { [K in keyof T]: T[K] extends (...given: infer A) => infer R ? ((...given: A) => R) & { mock: any } : T[K] } & T;

/** No promise, no Observable, nothing that a container or a serialiser calls by itself. */
const ABSENT: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'asymmetricMatch',
  'nodeType',
  '$$typeof',
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
]);

/** As a mocker, `useMocker(createMock)`, it is given a token, which says nothing of what is in it. */
export function createMock<T = any>(given?: PartialOf<T> | InjectionToken<T>, { fn }: CreateMockOptions = {}): Mocked<T> {
  if (fn !== undefined && typeof fn !== 'function')
    throw new TypeError('createMock() takes { fn } as a function that makes mock functions.');
  const own = typeof given === 'object' && given !== null ? given : {};
  return mockOf('mock', own, fn ?? runnersOwn()) as Mocked<T>;
}

function runnersOwn(): Fn {
  const found = typeof process.getBuiltinModule === 'function' ? process.getBuiltinModule('node:test') : undefined;
  if (found === undefined) throw new Error('createMock() finds no node:test here: give it { fn }, as vi.fn or jest.fn.');
  return (implementation) => found.mock.fn(implementation as () => unknown) as never;
}

function mockOf(path: string, own: object, fn: Fn): object {
  const kept = new Map<string | symbol, unknown>();
  const memberOf = (target: object, key: string | symbol): unknown => {
    if (kept.has(key)) return kept.get(key);
    if (Reflect.has(target, key) && !(key in Object.prototype && !Object.hasOwn(target, key))) {
      const member = partOf(`${path}.${String(key)}`, Reflect.get(target, key), fn);
      kept.set(key, member);
      return member;
    }
    if (typeof key === 'symbol' || ABSENT.has(key) || key in Object.prototype) return Reflect.get(target, key);
    let result: object | null = null;
    const member = fn(() => (result ??= mockOf(`${path}.${key}()`, {}, fn)));
    kept.set(key, member);
    return member;
  };
  return new Proxy(own, {
    get: memberOf,
    set: (_target, key, value) => (kept.set(key, value), true),
    has: (target, key) => kept.has(key) || Reflect.has(target, key),
  });
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** What is given of a member: functions are watched, plain objects filled up as well, all else is itself. */
function partOf(path: string, value: unknown, fn: Fn): unknown {
  if (typeof value === 'function' && !('mock' in value)) return fn(value as () => unknown);
  return isPlain(value) ? mockOf(path, value, fn) : value;
}
