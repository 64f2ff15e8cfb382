import { cases } from '../harness/cases.ts';

const circular = (): object => {
  const object: Record<string, unknown> = {};
  object['self'] = object;
  return object;
};

export default cases(
  'globals',
  {
    TextEncoder: [
      () => [new TextEncoder().encode('h€\ud800'), new TextEncoder().encode(), new TextEncoder().encoding],
      () => new TextEncoder().encodeInto('h€x', new Uint8Array(3)),
      () => new TextEncoder().encodeInto(5 as never, new Uint8Array(3)),
    ],
    TextDecoder: [
      () => [new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x41, 0xff])), new TextDecoder().decode()],
      () => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])),
      () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x41])).length,
      () => {
        const decoder = new TextDecoder();
        const stream = { stream: true };
        return [decoder.decode(new Uint8Array([0xe2, 0x82]), stream), decoder.decode(new Uint8Array([0xac]), stream), decoder.decode()];
      },
      () => [new TextDecoder('latin1').decode(new Uint8Array([0x80, 0xe9])), new TextDecoder('utf-16le').decode(new Uint8Array([0x41, 0]))],
      () => ['utf8', 'UTF-8', 'ascii', 'utf-16', 'ucs-2'].map((label) => new TextDecoder(label).encoding),
      () => new TextDecoder('nope'),
    ],
    structuredClone: [
      () => structuredClone({ a: [1, { b: 2 }], d: new Date(0), m: new Map([[1, new Set([2])]]), r: /x/g, u: undefined, n: null, i: 5n }),
      () => {
        const copy = structuredClone(circular()) as { self: unknown };
        return copy.self === copy;
      },
      () => structuredClone(() => {}),
      () => structuredClone({ nested: Symbol('x') }),
      () => {
        const memory = new ArrayBuffer(4);
        const moved = structuredClone(memory, { transfer: [memory] });
        return [memory.byteLength, moved.byteLength];
      },
      () => {
        const error = structuredClone(new TypeError('q', { cause: 5 }));
        return [error.name, error.message, error.cause, error instanceof TypeError];
      },
      () => [structuredClone(new Uint8Array([1, 2])), structuredClone(Object(1) as object) instanceof Number],
    ],
    'text of functions without source': [
      () => [Function, Math.max, Array.prototype[Symbol.iterator], Symbol.prototype[Symbol.toPrimitive]].map(String),
      () => [String((): number => 1), String(class A {}), String((() => {}).bind(null)), String(new Proxy(() => {}, {}))],
      () => Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get?.toString(),
      () => [Function.prototype.toString.name, Function.prototype.toString.length],
    ],
    atob: [() => atob('aGk='), () => atob('*')],
    btoa: [() => btoa('hi'), () => btoa('€')],
    Buffer: [() => Buffer.from('a')],
    console: [() => [typeof console.log, Object.prototype.toString.call(console)]],
  },
  { since: { TextDecoder: 24 } },
);
