/**
 * Makes instances: what they depend on first. What needs no waiting is made without a promise, so that providers of a
 * request cost little more than their constructors.
 */
import { abandon, isThenable } from '../../host/thenable.ts';
import type { ContextId } from './context-id.ts';
import { type Dependency, Holder, type Wrapper } from './wrapper.ts';

/** Where an instance is being made: who asks, and for which request. */
interface Frame {
  readonly path: readonly Wrapper[];
  readonly context: ContextId | null;
  /** Those of the consumer that stands last in the path. */
  readonly transients: Map<Wrapper, unknown>;
}

const outermost = (context: ContextId | null): Frame => ({ path: [], context, transients: new Map() });

/** The instance, or a promise of it. For a request with `context`. */
export function instanceOf(wrapper: Wrapper, context: ContextId | null = null): unknown {
  return get(wrapper, outermost(context));
}

function get(wrapper: Wrapper, frame: Frame): unknown {
  const { making } = wrapper;
  if (making.kind === 'inquirer') return inquirerOf(frame);
  if (making.kind === 'request') return requestOf(frame);
  if (wrapper.isTransient) return transientOf(wrapper, frame);
  const holder = holderOf(wrapper, frame.context);
  if (holder.isDone) return holder.value;
  if (frame.path.includes(wrapper)) return earlyOf(wrapper, holder);
  return (holder.loading ??= started(wrapper, holder, frame)) ?? holder.value;
}

/** Null where it was made at once. */
function started(wrapper: Wrapper, holder: Holder, frame: Frame): Promise<unknown> | null {
  const made = make(wrapper, holder, frame);
  if (isThenable(made))
    return Promise.resolve(made).then(
      (value) => keep(holder, value),
      (error: unknown) => {
        // The next who asks has it made again: what is durable would fail for ever.
        holder.loading = null;
        throw error;
      },
    );
  keep(holder, made);
  return null;
}

function keep(holder: Holder, value: unknown): unknown {
  holder.value = value;
  holder.isDone = true;
  holder.loading = null;
  return value;
}

/** Of a request, of several (`durable`), or of all. */
function holderOf(wrapper: Wrapper, context: ContextId | null): Holder {
  if (!wrapper.isRequestScoped || context === null) return wrapper.holder;
  return contextFor(wrapper, context).holderOf(wrapper);
}

function contextFor(wrapper: Wrapper, context: ContextId): ContextId {
  return wrapper.isTreeDurable ? context.parentFor(wrapper.token) : context;
}

/** One for each consumer, however many of its parameters ask for it. */
function transientOf(wrapper: Wrapper, frame: Frame): unknown {
  const known = frame.transients.get(wrapper);
  if (known !== undefined) return known;
  const made = make(wrapper, new Holder(), frame);
  frame.transients.set(wrapper, made);
  if (frame.context === null) {
    if (isThenable(made)) return made.then((value) => (wrapper.transients.push(value), value));
    wrapper.transients.push(made);
  }
  return made;
}

/** An object of the consumer's class: it is being made. */
function inquirerOf({ path }: Frame): unknown {
  const consumer = path.at(-2);
  return consumer?.making.kind === 'class' ? Object.create(consumer.making.type.prototype as object) : undefined;
}

function requestOf({ context, path }: Frame): unknown {
  if (context === null) return undefined;
  const consumer = path.at(-1);
  return consumer === undefined ? context.request : contextFor(consumer, context).request;
}

function earlyOf({ making }: Wrapper, holder: Holder): unknown {
  if (making.kind !== 'class') return undefined;
  return (holder.early ??= Object.create(making.type.prototype as object) as object);
}

function make(wrapper: Wrapper, holder: Holder, { path, context }: Frame): unknown {
  const frame: Frame = { path: [...path, wrapper], context, transients: new Map() };
  const given = dependenciesIn(wrapper, frame);
  if (given.some(isThenable)) return Promise.all(given).then((values) => construct(wrapper, holder, values));
  return construct(wrapper, holder, given);
}

/** @throws what one of them throws at once; others that are being made are left */
function dependenciesIn({ dependencies }: Wrapper, frame: Frame): unknown[] {
  const given: unknown[] = [];
  try {
    for (const dependency of dependencies) given.push(dependency.wrapper === null ? undefined : get(dependency.wrapper, frame));
  } catch (error) {
    abandon(given);
    throw error;
  }
  return given;
}

function construct({ making, dependencies }: Wrapper, holder: Holder, given: readonly unknown[]): unknown {
  const parameters: unknown[] = [];
  const properties: [Dependency, unknown][] = [];
  for (const [index, dependency] of dependencies.entries()) {
    if (typeof dependency.at === 'number') parameters[dependency.at] = given[index];
    else properties.push([dependency, given[index]]);
  }
  if (making.kind === 'factory') return making.factory(...parameters);
  if (making.kind !== 'class') return undefined;
  const made = new making.type(...parameters) as object;
  // Somebody in a circle has the early one already.
  const instance = holder.early === null ? made : Object.assign(holder.early, made);
  for (const [{ at, isOptional }, value] of properties)
    if (!isOptional || value !== undefined) (instance as Record<string | symbol, unknown>)[at as string] = value;
  return instance;
}
