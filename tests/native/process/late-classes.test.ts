/**
 * Classes of `node:stream` and `node:http` whose code is loaded with their first use: the application sees no
 * difference.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onNative, onNode } from './support.ts';

const prelude = `
const stream = require('node:stream');
const http = require('node:http');
const classes = [stream.Stream, stream.Readable, http.OutgoingMessage, http.IncomingMessage, http.ServerResponse];
const use = () => [new stream.Readable({ read() {} }), new http.ServerResponse({}), new http.IncomingMessage(null)];
`;

async function outputOf(host: typeof onNode, text: string): Promise<unknown> {
  const { stdout, stderr, code } = await host(prelude + text);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as unknown;
}

test('a prototype has the same members before and after its code is loaded', async () => {
  const [before, after] = (await outputOf(
    onNative,
    `
    const form = (owner) => Reflect.ownKeys(owner).map((key) => {
      const { value, get, set, enumerable } = Object.getOwnPropertyDescriptor(owner, key);
      return [String(key), typeof value, value?.length, typeof get, typeof set, enumerable];
    });
    const all = () => classes.map((one) => [one.name, one.length, form(one.prototype)]);
    const before = all();
    use();
    console.log(JSON.stringify([before, all()]));
    `,
  )) as [unknown, unknown];
  assert.deepEqual(before, after);
});

const alike: Readonly<Record<string, string>> = {
  'what an application puts into a prototype stays there': `
    const own = () => 'own';
    stream.Readable.prototype.read = own;
    http.OutgoingMessage.prototype.write = own;
    delete http.IncomingMessage.prototype._dump;
    const [readable, response, message] = use();
    result = [readable.read === own, response.write === own, '_dump' in message];`,
  'a member taken before the code is loaded works afterwards': `
    const { push, isPaused } = stream.Readable.prototype;
    const { setHeader } = http.OutgoingMessage.prototype;
    const [readable, response] = use();
    setHeader.call(response, 'a', 'b');
    result = [push.call(readable, 'x'), isPaused.call(readable), response.getHeader('a')];`,
  'a member that calls the one it replaced works': `
    const { setHeader } = http.OutgoingMessage.prototype;
    http.OutgoingMessage.prototype.setHeader = function (name, value) { return setHeader.call(this, 'x-' + name, value); };
    const [, response] = use();
    response.setHeader('a', 'b');
    result = response.getHeaders();`,
  'subclasses and instances are what they are in Node': `
    class Mine extends stream.Readable {}
    const mine = new Mine();
    const socket = new (require('node:net').Socket)();
    result = [mine instanceof stream.Readable, mine instanceof stream.Stream, mine instanceof stream.Writable, mine.constructor === Mine,
      socket instanceof stream.Writable, socket instanceof stream.Readable, stream.Readable() instanceof stream.Readable,
      Object.getPrototypeOf(stream.Writable) === stream.Stream, Object.getPrototypeOf(stream.Duplex.prototype) === stream.Readable.prototype];`,
  'a static member of a subclass is its own': `
    class Mine extends stream.Readable {}
    Mine.from = 1;
    class Emitter extends require('node:events') {}
    Emitter.once = 2;
    result = [Object.keys(Mine), typeof stream.Readable.from, Object.keys(Emitter), typeof require('node:events').once];`,
};

for (const [name, text] of Object.entries(alike)) {
  test(name, async () => {
    const program = `let result; {${text}}\nconsole.log(JSON.stringify(result));`;
    assert.deepEqual(await outputOf(onNative, program), await outputOf(onNode, program));
  });
}
