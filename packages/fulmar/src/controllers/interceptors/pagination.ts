/**
 * `PaginationInterceptor` and `@Page()`: `?page=2&limit=20` within bounds, and what a handler returns as
 * `{ data, meta, links }`. Links are paths, which no `Host` field of a client gets into.
 */
import { checkOptions, type Checks, isCount } from '../../app/checked-options.ts';
import { Injectable } from '../decorators/modules.ts';
import { createParamDecorator } from '../decorators/parameters.ts';
import { BadRequestException } from '../exceptions/family.ts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '../nest-types.ts';
import { asked, isAnsweredOtherwise, isEventRoute, setField } from '../pipeline/around.ts';
import { isRecord } from '../pipes/rejection.ts';

export interface PaginationOptions {
  /** Items of a page where the client says nothing. Default: 10. */
  readonly limit?: number;
  /** More than these are not given, whatever the client asks for. Default: 100. */
  readonly limitMax?: number;
}

/** What a client has asked for, within bounds. */
export interface PageRequest {
  /** From 1 on. */
  readonly page: number;
  readonly limit: number;
  /** Items before it. */
  readonly offset: number;
}

export interface PageMeta {
  readonly page: number;
  readonly limit: number;
  /** Items of this page. */
  readonly count: number;
  readonly total?: number;
  readonly pages?: number;
  /** Without a total: a full page is taken for one that others follow. */
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

export interface Paginated<T = unknown> {
  readonly data: readonly T[];
  readonly meta: PageMeta;
  readonly links: Readonly<Partial<Record<'self' | 'first' | 'prev' | 'next' | 'last', string>>>;
}

const LIMIT = 10;
const LIMIT_MAX = 100;
const isLimit = (value: unknown): boolean => isCount(1, value);

const CHECKS: Checks<PaginationOptions> = {
  limit: [isLimit, 'a number of items, at least 1'],
  limitMax: [isLimit, 'a number of items, at least 1'],
};

/** By the context of the request: what the interceptor has found in its query. */
const pages = new WeakMap<object, PageRequest>();

export class PaginationInterceptor implements NestInterceptor {
  readonly #limit: number;
  readonly #limitMax: number;

  /** @throws TypeError for options that are none */
  constructor(options: PaginationOptions = {}) {
    checkOptions('PaginationInterceptor', options, CHECKS);
    this.#limitMax = options.limitMax ?? Math.max(LIMIT_MAX, options.limit ?? 0);
    this.#limit = options.limit ?? Math.min(LIMIT, this.#limitMax);
    if (this.#limit > this.#limitMax)
      throw new TypeError(`PaginationInterceptor: limit is at most limitMax, and these are ${this.#limit} and ${this.#limitMax}.`);
  }

  intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> | object {
    if (isEventRoute(context)) return next.handle();
    const { url } = asked(context);
    const at = url.indexOf('?');
    const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
    const page = this.#asked(query);
    pages.set(context, page);
    if (isAnsweredOtherwise(context)) return next();
    return next().then((value) => {
      const found = itemsOf(value);
      if (found === null) return value;
      const paginated = paginate(found, page, linker(at === -1 ? url : url.slice(0, at), query));
      const { self: _self, ...others } = paginated.links;
      const field = Object.entries(others).map(([relation, link]) => `<${link}>; rel="${relation}"`);
      if (field.length > 0) setField(context, 'Link', field.join(', '));
      return paginated;
    });
  }

  /** @throws BadRequestException for what is no number of a page */
  #asked(query: URLSearchParams): PageRequest {
    const limit = Math.min(wholeNumber(query, 'limit', this.#limit), this.#limitMax);
    const page = wholeNumber(query, 'page', 1);
    const offset = (page - 1) * limit;
    if (!Number.isSafeInteger(offset)) throw new BadRequestException('page is too large');
    return { page, limit, offset };
  }
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null || text === '') return otherwise;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (!isCount(1, number)) throw new BadRequestException(`${name} must be a whole number from 1 on`);
  return number;
}

interface Items {
  readonly items: readonly unknown[];
  readonly total: number | undefined;
}

/** A list, `[list, total]` as mappers give it, `{ items, total }` or `{ data, total }`; null: something else. */
function itemsOf(value: unknown): Items | null {
  if (Array.isArray(value)) {
    const [first, second] = value as unknown[];
    return value.length === 2 && Array.isArray(first) && isCount(0, second)
      ? { items: first as unknown[], total: second as number }
      : { items: value as unknown[], total: undefined };
  }
  if (!isRecord(value)) return null;
  const { items, data = items, total } = value as { items?: unknown; data?: unknown; total?: unknown };
  return Array.isArray(data) && isCount(0, total) ? { items: data as unknown[], total: total as number } : null;
}

function paginate({ items, total }: Items, { page, limit }: PageRequest, link: (page: number) => string): Paginated {
  // One more than asked for tells that there is more.
  const data = items.length > limit ? items.slice(0, limit) : items;
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / limit));
  const hasNext = last === undefined ? items.length >= limit : page < last;
  const hasPrevious = page > 1;
  const known = last === undefined ? {} : { total: total as number, pages: last };
  return {
    data,
    meta: { page, limit, count: data.length, ...known, hasNext, hasPrevious },
    links: {
      self: link(page),
      first: link(1),
      ...(hasPrevious && { prev: link(last === undefined ? page - 1 : Math.min(page - 1, last)) }),
      ...(hasNext && { next: link(page + 1) }),
      ...(last !== undefined && { last: link(last) }),
    },
  };
}

/** Other members of the query stay. */
function linker(path: string, query: URLSearchParams): (page: number) => string {
  const others = new URLSearchParams(query);
  // Of this server, whatever the target: neither another host's nor one that ends the link or the field.
  const own = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '').replace(/^[/\\]*/, '/');
  const base = own.replaceAll(/[^\x21-\x7e]|[<>"\\]/g, (character) => encodeURIComponent(character));
  return (page) => {
    others.set('page', String(page));
    return `${base}?${others.toString()}`;
  };
}

/** The page that a client has asked for, as `PaginationInterceptor` has read it. */
export const Page = createParamDecorator<undefined, PageRequest>((_data, context) => {
  const page = pages.get(context);
  if (page === undefined)
    throw new Error(`@Page() of ${context.getClass().name}.${context.getHandler().name}() needs PaginationInterceptor around it.`);
  return page;
});

Injectable()(PaginationInterceptor);
