/**
 * Objects that are made for each request. QuickJS forgets what properties such an object has when the last
 * one is gone, and learns it anew, one property after the other, with the next. Here every step is kept by an
 * object that has gone no further.
 */
const steps: object[] = [];
const known = new WeakSet<object>();
const PLAIN = { value: undefined, writable: true, enumerable: true, configurable: true };

/** Once for each prototype. */
export function holdShapes(sample: object): void {
  const prototype = Object.getPrototypeOf(sample) as object;
  if (known.has(prototype)) return;
  known.add(prototype);
  const keys = Reflect.ownKeys(sample);
  const isInherited = keys.map((key) => key in prototype);
  for (let count = 0; count <= keys.length; count++) {
    const step = Object.create(prototype) as Record<PropertyKey, unknown>;
    for (let at = 0; at < count; at++) {
      const key = keys[at] as PropertyKey;
      // Assigned where no setter can hear it: that takes a tenth of the time.
      if (isInherited[at] === true) Object.defineProperty(step, key, PLAIN);
      else step[key] = undefined;
    }
    steps.push(step);
  }
}
