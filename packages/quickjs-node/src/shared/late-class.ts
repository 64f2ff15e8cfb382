/**
 * Classes of Node's that others inherit from, and that are seldom used themselves: an HTTP server's messages
 * stand on streams and on the messages of `node:http`. Their code is loaded with the first call of one of
 * them. Until then their prototypes have members of the same names, kinds and lengths; with the code come the
 * real ones, but where somebody has put his own.
 */
import later, { type LateFile } from 'fulmar:later';
import { define } from './define.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Members = Record<PropertyKey, unknown>;
type Class = Method & { prototype: object };

/** A class as it looks before its code is loaded. */
export interface Outline {
  readonly name: string;
  readonly length: number;
  readonly parent: unknown;
  /**
   * As they stand in the prototype: `write3` is a method of three parameters, `closed` can be read, `socket=`
   * can be set, too; `@@rejection1` is `Symbol.for('nodejs.rejection')`, or the property of `Symbol` of that
   * name.
   */
  readonly members: string;
  /**
   * Methods have names; accessors are enumerable. So it is in object literals, and not where members are
   * assigned.
   */
  readonly literal?: boolean;
  /** What is no function; comes first. */
  readonly values?: object;
}

interface Late {
  readonly face: Class;
  /** What stands in the prototype before the code is loaded: key and function, one after the other. */
  readonly standIns: unknown[];
  real: Class | undefined;
  /** The prototype as it is in the code. */
  members: Members | undefined;
  load(): void;
}

/** Classes that are loaded at once, by a file of the host that calls `link`. */
export class LateFamily {
  readonly #file: LateFile<unknown>;
  readonly #classes = new Map<string, Late>();

  constructor(file: LateFile<unknown>) {
    this.#file = file;
  }

  define(outline: Outline): Class {
    const late = createLate(outline, () => void later(this.#file));
    this.#classes.set(outline.name, late);
    return late.face;
  }

  /** Gives the classes their code. */
  link(classes: readonly unknown[]): void {
    for (const real of classes as readonly Class[]) {
      const late = this.#classes.get(real.name);
      if (late !== undefined) linkOne(late, real);
    }
  }
}

function createLate({ name, length, parent, members, literal = false, values }: Outline, load: () => void): Late {
  const face = function (this: unknown, ...args: unknown[]): unknown {
    if (late.real === undefined) load();
    return Reflect.apply(late.real as Class, this, args);
  } as Class;
  const late: Late = { face, standIns: [], real: undefined, members: undefined, load };
  Object.defineProperty(face, 'length', { value: length });
  Object.defineProperty(face, 'name', { value: name });
  define(face, parent as Class, []);
  Object.assign(face.prototype, values);
  for (const member of members.split(' ')) putStandIn(late, member, literal);
  return late;
}

const ZERO = 0x30;
const NINE = 0x39;
const EQUALS_SIGN = 0x3d;
const AT_SIGN = 0x40;

function putStandIn(late: Late, member: string, isLiteral: boolean): void {
  const { face, standIns } = late;
  const end = member.length - 1;
  const last = member.charCodeAt(end);
  if (last < ZERO || last > NINE) {
    const isSettable = last === EQUALS_SIGN;
    const key = isSettable ? member.slice(0, end) : member;
    const accessor = createAccessor(late, key, isSettable, isLiteral);
    standIns.push(key, accessor.get);
    Object.defineProperty(face.prototype, key, accessor);
    return;
  }
  const name = member.slice(0, end);
  const key = name.charCodeAt(0) === AT_SIGN ? symbolOf(name.slice('@@'.length)) : name;
  const method = createMethod(late, key);
  if (last > ZERO) Object.defineProperty(method, 'length', { value: last - ZERO });
  if (isLiteral && key === name) Object.defineProperty(method, 'name', { value: name });
  standIns.push(key, method);
  (face.prototype as Members)[key] = method;
}

function symbolOf(name: string): symbol {
  return (Symbol as unknown as Record<string, symbol | undefined>)[name] ?? Symbol.for(`nodejs.${name}`);
}

function membersOf(late: Late): Members {
  if (late.members === undefined) late.load();
  return late.members as Members;
}

function createMethod(late: Late, key: PropertyKey): Method {
  return function (this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(membersOf(late)[key] as Method, this, args);
  };
}

function createAccessor(late: Late, key: PropertyKey, isSettable: boolean, enumerable: boolean): PropertyDescriptor {
  const accessor: PropertyDescriptor = {
    get(this: unknown): unknown {
      return Reflect.get(membersOf(late), key, this);
    },
    enumerable,
    configurable: true,
  };
  if (isSettable) {
    accessor.set = function set(this: unknown, value: unknown): void {
      Reflect.set(membersOf(late), key, value, this);
    };
  }
  return accessor;
}

function linkOne(late: Late, real: Class): void {
  const target = late.face.prototype;
  const members = real.prototype as Members;
  late.real = real;
  late.members = members;
  const standIns = new Map<unknown, unknown>();
  for (let at = 0; at < late.standIns.length; at += 2) standIns.set(late.standIns[at], late.standIns[at + 1]);
  for (const key of Reflect.ownKeys(members)) {
    const current = Object.getOwnPropertyDescriptor(target, key);
    if ((current?.value ?? current?.get) !== standIns.get(key)) continue;
    Object.defineProperty(target, key, Object.getOwnPropertyDescriptor(members, key) as PropertyDescriptor);
  }
  real.prototype = target;
}
