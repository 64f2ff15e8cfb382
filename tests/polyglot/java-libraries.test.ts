/** Libraries of Java as they are published: Jackson and Commons Text, by class paths and by a jar. */
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { get, type GuestError, type GuestObject, isHandle, java, withOptions } from '../../packages/fulmar/src/polyglot/index.ts';
import { javaLibrariesOfTests } from '../../scripts/lib/java-packages.mjs';

type Calls = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;
type Class = Calls & (new (...args: readonly unknown[]) => Promise<Calls & AsyncIterable<unknown>>);

const jars = javaLibrariesOfTests() ?? {};
const { problem } = await java.look();
const skip =
  problem ?? (jars['commons-text'] === undefined ? 'the libraries of Java are not there: node scripts/lib/java-packages.mjs' : false);

const jackson = ['jackson-databind', 'jackson-core', 'jackson-annotations'].map((name) => String(jars[name]));
/** As an application writes them: relative to its file. */
const folder = fileURLToPath(new URL('.', import.meta.url));
const text = ['commons-text', 'commons-lang3'].map((name) => `./${relative(folder, String(jars[name]))}`);

const load = async (name: string, classPath: readonly string[]): Promise<Class> =>
  (await java.import(name, { options: { classPath } })) as unknown as Class;

describe('Commons Text', { skip }, () => {
  it('replaces, escapes and compares', async () => {
    const Substitutor = await load('org.apache.commons.text.StringSubstitutor', text);
    const substitutor = await new Substitutor({ name: 'you', n: 3 });
    assert.equal(await substitutor['replace']?.('${name} has ${n}, ${other:-none}'), 'you has 3, none');
    assert.equal(await Substitutor['replace']?.('${a}!', { a: 'x' }), 'x!');
    const Escape = await load('org.apache.commons.text.StringEscapeUtils', text);
    assert.equal(await Escape['escapeHtml4']?.('<a & "b">'), '&lt;a &amp; &quot;b&quot;&gt;');
    const Distance = await load('org.apache.commons.text.similarity.LevenshteinDistance', text);
    const distance = await new Distance();
    assert.equal(await distance['apply']?.('kitten', 'sitting'), 3);
  });

  it('takes functions of JavaScript’s for what it looks up', async () => {
    const Substitutor = await load('org.apache.commons.text.StringSubstitutor', text);
    const Factory = await load('org.apache.commons.text.lookup.StringLookupFactory', text);
    const factory = (await get((Factory as unknown as Record<string, object>)['INSTANCE'] as object)) as Calls;
    const lookup = await factory['functionStringLookup']?.((key: string) => key.toUpperCase());
    const substitutor = await new Substitutor(lookup);
    assert.equal(await substitutor['replace']?.('${abc}'), 'ABC');
  });

  it('answers five hundred calls at once', async () => {
    const Words = await load('org.apache.commons.text.WordUtils', text);
    const all = await Promise.all(Array.from({ length: 500 }, (_, index) => Words['capitalizeFully']?.(`hello world ${index}`)));
    assert.deepEqual(all[499], 'Hello World 499');
  });

  it('is the same from the same class path, and a jar is its packages', async () => {
    const one = await load('org.apache.commons.text.WordUtils', text);
    const other = await load('org.apache.commons.text.WordUtils', text);
    assert.equal(await one['equals']?.(other), true);
    const packages = (await java.import(String(jars['commons-lang3']))) as unknown as {
      org: { apache: { commons: { lang3: { StringUtils: Calls } } } };
    };
    assert.equal(await packages.org.apache.commons.lang3.StringUtils['reverse']?.('abc'), 'cba');
    await assert.rejects(java.import('org.apache.commons.text.WordUtils'), /there is no class org\.apache\.commons\.text\.WordUtils/);
  });
});

describe('Jackson', { skip }, () => {
  const mapper = async (): Promise<Calls> => new (await load('com.fasterxml.jackson.databind.ObjectMapper', jackson))();

  it('reads and writes JSON, with values both ways', async () => {
    const own = await mapper();
    const written = (await own['writeValueAsString']?.({ a: [1, 2.5, null, true], b: { c: 'ü' } })) as string;
    assert.deepEqual(JSON.parse(written), { a: [1, 2.5, null, true], b: { c: 'ü' } });
    const map = await java.import('java.util.Map');
    assert.deepEqual(await own['readValue']?.('{"x": [1, 12345678901234567890], "y": null}', map), {
      x: [1, 12345678901234567890n],
      y: null,
    });
    assert.deepEqual(await own['readValue']?.(new TextEncoder().encode('{"x": 1}'), map), { x: 1 });
  });

  it('has trees, whose nodes are objects of its own', async () => {
    const own = await mapper();
    const tree = (await own['readTree']?.('{"list": [1, {"a": "b"}], "n": 7}')) as GuestObject & Calls;
    assert.ok(isHandle(tree));
    const list = (await tree['get']?.('list')) as Calls & AsyncIterable<Calls>;
    assert.equal(await list['size']?.(), 2);
    const kinds: unknown[] = [];
    for await (const node of list) kinds.push(await node['getNodeType']?.());
    assert.deepEqual(kinds, ['NUMBER', 'OBJECT']);
    const within = (await tree['at']?.('/list/1/a')) as Calls;
    assert.equal(await within['asText']?.(), 'b');
    const sync = withOptions(tree, { sync: true }) as unknown as { get(name: string): { intValue(): number } };
    assert.equal((withOptions(sync.get('n') as unknown as object, { sync: true }) as { intValue(): number }).intValue(), 7);
  });

  it('throws what it throws', async () => {
    const error = (await (await mapper())['readTree']?.('{"a": }')?.catch((caught: unknown) => caught)) as GuestError;
    assert.equal(error.class, 'com.fasterxml.jackson.core.JsonParseException');
    assert.ok(error.bases.includes('java.io.IOException'));
    assert.match(error.message, /Unexpected character/);
  });
});
