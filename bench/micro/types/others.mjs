/**
 * The same types as schemas, for ajv (its standalone code), TypeBox (compiled), fast-json-stringify and zod.
 * Objects take other members beside their own, which ajv removes where it is told to and TypeBox keeps.
 */
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import fastJson from 'fast-json-stringify';
import { Compile } from 'typebox/compile';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const number = { type: 'number' };
const string = { type: 'string' };
const boolean = { type: 'boolean' };
const object = (properties, optional = []) => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});
const list = (items) => ({ type: 'array', items });
const kind = (value) => ({ type: 'string', const: value });

const light = { id: number, name: string, surname: string, active: boolean, lastUpdate: string };
const payment = (word) => ({
  type: 'object',
  required: ['kind'],
  ...(word === 'oneOf' ? { discriminator: { propertyName: 'kind' } } : {}),
  [word]: [
    object({ kind: kind('card'), number: string, expires: string }),
    object({ kind: kind('transfer'), iban: string, bank: string }, ['bank']),
    object({ kind: kind('invoice'), days: number, address: object({ street: string, city: string, zip: string, country: string }) }),
  ],
});
const heavy = (word) => ({
  ...light,
  email: string,
  tags: list(string),
  payment: payment(word),
  orders: list(object({ id: number, total: number, isPaid: boolean, payment: payment(word) })),
});
const tree = { $id: 'tree', ...object({ value: number, name: string, children: list({ $ref: '#' }) }) };

/** `oneOf` with a discriminator is ajv's fast way, `anyOf` the one that all understand. */
const schemas = (word) => ({
  light: object(light),
  dated: object({ id: number, name: string, surname: string, lastUpdate: { type: 'string', format: 'date-time' } }),
  heavy: object(heavy(word)),
  items: list(object({ id: number, name: string, score: number, active: boolean })),
  numbers: list(number),
  strings: list(string),
  tree,
});

const mapOf = (object, make) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value, name)]));
const ajvOf = (options) =>
  addFormats.default(new Ajv({ code: { source: true, esm: false }, discriminator: true, ...options }), {
    mode: 'fast',
    formats: ['date-time'],
  });

function standaloneOf(schema, ajv) {
  const code = standalone.default(ajv, ajv.compile(schema));
  const module = { exports: undefined };
  runInThisContext(`(function (module, require) { ${code} })`)(module, require);
  return module.exports;
}

const zods = () => {
  const plain = { id: z.number(), name: z.string(), surname: z.string(), active: z.boolean(), lastUpdate: z.string() };
  const paid = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('card'), number: z.string(), expires: z.string() }),
    z.object({ kind: z.literal('transfer'), iban: z.string(), bank: z.string().optional() }),
    z.object({
      kind: z.literal('invoice'),
      days: z.number(),
      address: z.object({ street: z.string(), city: z.string(), zip: z.string(), country: z.string() }),
    }),
  ]);
  const node = z.object({
    value: z.number(),
    name: z.string(),
    get children() {
      return z.array(node);
    },
  });
  return {
    light: z.object(plain),
    dated: z.object({
      id: z.number(),
      name: z.string(),
      surname: z.string(),
      lastUpdate: z.iso.datetime().transform((text) => new Date(text)),
    }),
    heavy: z.object({
      ...plain,
      email: z.string(),
      tags: z.array(z.string()),
      payment: paid,
      orders: z.array(z.object({ id: z.number(), total: z.number(), isPaid: z.boolean(), payment: paid })),
    }),
    items: z.array(z.object({ id: z.number(), name: z.string(), score: z.number(), active: z.boolean() })),
    numbers: z.array(z.number()),
    strings: z.array(z.string()),
    tree: node,
  };
};

const fail = (name) => {
  throw new TypeError(`${name} does not fit`);
};
/** What is parsed, checked and, where a date is, revived. */
const decoderOf = (check, name) =>
  name === 'dated'
    ? (text) => {
        const value = JSON.parse(text);
        if (!check(value)) fail(name);
        value.lastUpdate = new Date(value.lastUpdate);
        return value;
      }
    : (text) => {
        const value = JSON.parse(text);
        return check(value) ? value : fail(name);
      };

function noDates({ dated, ...rest }) {
  void dated;
  return rest;
}

export function others() {
  const [checking, removing] = [ajvOf({}), ajvOf({ removeAdditional: 'all' })];
  const compiled = mapOf(noDates(schemas('anyOf')), (schema) => Compile(schema));
  const zod = zods();
  const encode = mapOf(schemas('anyOf'), (schema) => fastJson(schema));
  return {
    checks: {
      ajv: noDates(mapOf(schemas('oneOf'), (schema) => standaloneOf(schema, checking))),
      typebox: mapOf(compiled, (one) => (value) => one.Check(value)),
      zod: noDates(mapOf(zod, (schema) => (value) => schema.safeParse(value).success)),
    },
    encoders: { 'fast-json-stringify': encode, 'JSON.stringify': mapOf(encode, () => (value) => JSON.stringify(value)) },
    decoders: {
      ajv: mapOf(
        mapOf(schemas('oneOf'), (schema) => standaloneOf(schema, removing)),
        decoderOf,
      ),
      typebox: mapOf(
        mapOf(compiled, (one) => (value) => one.Check(value)),
        decoderOf,
      ),
      'ajv, none removed': mapOf(
        mapOf(schemas('oneOf'), (schema) => standaloneOf(schema, checking)),
        decoderOf,
      ),
      zod: mapOf(zod, (schema) => (text) => schema.parse(JSON.parse(text))),
    },
  };
}
