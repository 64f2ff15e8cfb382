/**
 * Forms that are there as a whole: their fields and files as `FormData`, as an object, both in memory.
 */
import { HttpError } from '../http-error.ts';
import { multipart } from '../lazy.ts';
import { needNode } from '../needs-node.ts';
import { type AllFormLimits, beyond } from './limits.ts';

export type FormValue = string | File;

/** `[name, value]`, in their order. @throws HttpError 413 for too many */
export function pairsOf(text: string, { fields }: AllFormLimits): Iterable<readonly [string, string]> {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count += 1;
  if (count > fields) throw beyond('fields', fields, 'The form has too many fields');
  return new URLSearchParams(text);
}

export interface WholeForm {
  readonly content: Uint8Array;
  readonly contentType: string;
  readonly names: 'utf8' | 'latin1';
}

/** @throws HttpError 400, 413 */
export async function filesOf({ content, contentType, names }: WholeForm, limits: AllFormLimits): Promise<[string, FormValue][]> {
  needNode('form() of several parts', 'take c.request.formData()');
  const entries: [string, FormValue][] = [];
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(content);
  }
  for await (const part of multipart()(whole(), contentType, { limits, names })) {
    entries.push([part.name, part.kind === 'field' ? part.value : await part.file()]);
  }
  return entries;
}

export function toFormData(entries: Iterable<readonly [string, FormValue]>): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}

/** A value for each name, an array where a name comes more than once. */
export function toObject(entries: Iterable<readonly [string, FormValue]>): Record<string, FormValue | FormValue[]> {
  const object = Object.create(null) as Record<string, FormValue | FormValue[]>;
  for (const [name, value] of entries) {
    const before = object[name];
    if (before === undefined) object[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else object[name] = [before, value];
  }
  return object;
}

/** @throws HttpError 415 */
export function refuseType(type: string, expected: string): never {
  throw new HttpError(415, `${expected} is expected, and the content is said to be ${type || 'nothing'}.`);
}
