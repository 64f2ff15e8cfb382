import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FileCache } from '../../../src/web/static/file-cache.ts';

const LONG_AGO = new Date(2020, 0, 1);

describe('FileCache', () => {
  let dir = '';
  let file = '';

  beforeEach(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fulmar-cache-'));
    file = path.join(dir, 'a.txt');
    fs.writeFileSync(file, 'first');
  });

  afterEach(() => {
    fs.rmSync(dir, { recursive: true });
  });

  /** Clock that says the file has been quiet for an hour. */
  const quietClock = (): number => Date.now() + 3_600_000;

  async function loaded(cache: FileCache): Promise<boolean> {
    cache.load(file, fs.statSync(file));
    for (let i = 0; i < 200 && cache.isLoading(file); i++) await new Promise((resolve) => setImmediate(resolve));
    while (cache.isLoading(file)) await new Promise((resolve) => setTimeout(resolve, 1));
    return cache.stat(file) !== undefined;
  }

  it('gives the content of a file that has not changed', async () => {
    const cache = new FileCache(quietClock);
    assert.equal(await loaded(cache), true);
    assert.equal(String(cache.bytes(file, fs.statSync(file))), 'first');
  });

  it('forgets a file whose size or time changed', async () => {
    const cache = new FileCache(quietClock);
    await loaded(cache);
    fs.writeFileSync(file, 'other');
    fs.utimesSync(file, LONG_AGO, LONG_AGO);
    assert.equal(cache.bytes(file, fs.statSync(file)), undefined);
    assert.equal(cache.size, 0);
  });

  it('forgets a file that was replaced by another with the same times', async () => {
    const cache = new FileCache(quietClock);
    fs.utimesSync(file, LONG_AGO, LONG_AGO);
    await loaded(cache);
    const other = path.join(dir, 'b.txt');
    fs.writeFileSync(other, 'secnd');
    fs.utimesSync(other, LONG_AGO, LONG_AGO);
    fs.renameSync(other, file);
    assert.equal(cache.bytes(file, fs.statSync(file)), undefined);
  });

  it('forgets a file that is gone', async () => {
    const cache = new FileCache(quietClock);
    await loaded(cache);
    fs.rmSync(file);
    assert.equal(cache.stat(file), undefined);
    assert.equal(cache.size, 0);
  });

  it('does not keep a file that has just been written', async () => {
    assert.equal(await loaded(new FileCache()), false);
  });

  it('takes neither large files nor directories', () => {
    const cache = new FileCache();
    assert.equal(cache.isCacheable(fs.statSync(dir)), false);
    const large = path.join(dir, 'large');
    fs.writeFileSync(large, Buffer.alloc(64 * 1024 + 1));
    assert.equal(cache.isCacheable(fs.statSync(large)), false);
    assert.equal(cache.isCacheable(fs.statSync(file)), true);
  });

  it('keeps a bounded number of files', async () => {
    const cache = new FileCache(quietClock);
    for (let i = 0; i < 520; i++) {
      file = path.join(dir, `f${i}`);
      fs.writeFileSync(file, 'x');
      await loaded(cache);
    }
    assert.equal(cache.size, 512);
  });
});
