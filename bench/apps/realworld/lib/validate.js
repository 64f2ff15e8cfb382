// Checks of request bodies and queries. All problems of a request are answered at once, with status 422.
import { invalid } from './errors.js';

/** A rule takes a value and returns what is wrong with it, or undefined. */
export const text =
  ({ max = 65_536, isNullable = false } = {}) =>
  (value) => {
    if (value === null && isNullable) return undefined;
    if (typeof value !== 'string') return 'must be a string';
    if (value.includes('\0')) return 'is invalid';
    if (value.trim() === '' && !isNullable) return "can't be blank";
    return value.length > max ? `is too long (maximum is ${max} characters)` : undefined;
  };

export const email = (value) => text({ max: 254 })(value) ?? (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : 'is invalid');

export const password = (value) => text({ max: 128 })(value) ?? (value.length < 8 ? 'is too short (minimum is 8 characters)' : undefined);

export const tagList = (value) => {
  const isRight = Array.isArray(value) && value.length <= 20 && value.every((tag) => text({ max: 50 })(tag) === undefined);
  return isRight ? undefined : 'must be a list of at most 20 tags';
};

/** The members of `body[name]` that have a rule. `required` ones must be there, others may be. */
export function readBody(body, name, { required = {}, optional = {} }) {
  const source = body?.[name];
  if (typeof source !== 'object' || source === null) throw invalid({ [name]: ["can't be blank"] });
  const errors = {};
  const result = {};
  for (const [field, rule] of Object.entries({ ...required, ...optional })) {
    const value = source[field];
    if (value === undefined && !(field in required)) continue;
    const problem = value === undefined ? "can't be blank" : rule(value);
    if (problem === undefined) result[field] = value;
    else errors[field] = [problem];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return result;
}

/** `limit` and `offset` of a query. */
export function readPage(query) {
  const limit = readInteger(query, { name: 'limit', initial: 20, min: 1, max: 100 });
  const offset = readInteger(query, { name: 'offset', initial: 0, min: 0, max: 1_000_000 });
  return { limit, offset };
}

function readInteger(query, { name, initial, min, max }) {
  const value = query[name];
  if (value === undefined) return initial;
  const number = /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw invalid({ [name]: [`must be an integer from ${min} to ${max}`] });
  return number;
}

/** A query's value when it was given once. */
export const readFilter = (value) => (typeof value === 'string' && value !== '' ? value : undefined);
