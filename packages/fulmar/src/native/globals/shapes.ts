/**
 * Objects that are made for each request. QuickJS forgets what properties such an object has when the last one is gone, and learns it anew,
 * one property after the other, with the next. Here every step is kept by an object that has gone no further.
 */
const steps: object[] = [];
const known = new WeakSet<object>();

/** Once for each prototype. */
export function holdShapes(sample: object): void {
  const prototype = Object.getPrototypeOf(sample) as object;
  if (known.has(prototype)) return;
  known.add(prototype);
  const keys = Reflect.ownKeys(sample);
  for (let count = 0; count <= keys.length; count++) {
    const step = Object.create(prototype) as object;
    for (const key of keys.slice(0, count)) {
      Object.defineProperty(step, key, { value: undefined, writable: true, enumerable: true, configurable: true });
    }
    steps.push(step);
  }
}
