/**
 * What a platform gives beside the request, found from whatever an application has in its hands: no field of
 * the request carries it, so that no client can say it.
 */

interface Holder {
  readonly exchange?: { readonly platform?: unknown };
  readonly _exchange?: { readonly platform?: unknown };
  readonly req?: Holder;
}

/**
 * Of a context of ours, a request of Express's or Node's kind, or a context of Koa's.
 * @throws TypeError where the request did not come through an adapter
 */
export function platformOf(from: object, who: string): unknown {
  const holder = from as Holder;
  const platform = (holder.exchange ?? holder._exchange ?? holder.req?._exchange)?.platform;
  if (platform !== undefined) return platform;
  throw new TypeError(
    `platform() takes the context or the request of an application that ${who} answers for: this one did not come through it.`,
  );
}
