/**
 * `process.env`: an object whose properties are strings; what is set or deleted is so for the C library (time
 * zone) and children too.
 */
import ops from 'fulmar:ops';
import { coded } from '../shared/errors.ts';

type Env = Record<string, string | undefined>;

const PLAIN = { writable: true, enumerable: true, configurable: true };

export function createEnv(): Env {
  const target: Env = {};
  const pairs = ops.environment();
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] as string;
    // Assigned, which takes a tenth of the time; this name alone means something else then.
    if (name === '__proto__') Reflect.defineProperty(target, name, { ...PLAIN, value: pairs[at + 1] });
    else target[name] = pairs[at + 1];
  }
  return new Proxy(target, { set: setVariable, deleteProperty: deleteVariable, defineProperty: defineVariable });
}

/** As `${value}` does, but with Node's error for symbols. */
function text(value: unknown): string {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${value as string}`;
}

function setVariable(target: Env, name: string | symbol, value: unknown): boolean {
  if (typeof name === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  const string = text(value);
  ops.setVariable(name, string);
  return Reflect.defineProperty(target, name, { ...PLAIN, value: string });
}

function deleteVariable(target: Env, name: string | symbol): boolean {
  if (typeof name === 'string' && Object.hasOwn(target, name)) {
    ops.setVariable(name, undefined);
    delete target[name];
  }
  return true;
}

function defineVariable(target: Env, name: string | symbol, descriptor: PropertyDescriptor): boolean {
  if ('value' in descriptor) {
    if (descriptor.configurable !== true || descriptor.writable !== true || descriptor.enumerable !== true) {
      throw invalidDefinition("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
    }
    return setVariable(target, name, descriptor.value);
  }
  if ('get' in descriptor || 'set' in descriptor) {
    throw invalidDefinition("'process.env' does not accept an accessor(getter/setter) descriptor");
  }
  throw invalidDefinition("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
}

function invalidDefinition(message: string): Error {
  return coded(TypeError, 'ERR_INVALID_OBJECT_DEFINE_PROPERTY', message);
}
