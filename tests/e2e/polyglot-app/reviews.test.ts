/**
 * The example of three languages in each form in which it runs: the model behind both styles of routes, a review's way
 * through Ruby, Python and Java, what is refused, many at once, and the end while a review is on its way.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Running } from '../support/launch.ts';
import { forms, fromSources, setUp } from './forms.ts';

const skip = setUp();

interface Review {
  readonly id: number;
  readonly book: string;
  readonly html: string;
  readonly text: string;
  readonly mood: string;
  readonly confidence: number;
  readonly like: { readonly id: number; readonly similarity: number } | null;
}
type Health = Readonly<Record<'python' | 'ruby' | 'java', { readonly state: string; readonly version?: string }>>;

const REQUESTS_AT_ONCE = 200;

class Visitor {
  readonly #url: string;

  constructor({ port }: Running) {
    this.#url = `http://127.0.0.1:${port}`;
  }

  fetch(path: string, init?: RequestInit): Promise<Response> {
    return fetch(this.#url + path, { redirect: 'manual', ...init });
  }

  async json<Value>(path: string): Promise<Value> {
    const reply = await this.fetch(path);
    assert.equal(reply.status, 200, path);
    return (await reply.json()) as Value;
  }

  /** Status and text of the reply to content as JSON, or as it is. */
  async post(path: string, content: unknown, type = 'application/json'): Promise<readonly [number, string]> {
    const body = typeof content === 'string' ? content : JSON.stringify(content);
    const reply = await this.fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body });
    return [reply.status, await reply.text()];
  }

  async review(markdown: string, book = 'Birds'): Promise<Review> {
    const [status, told] = await this.post('/api/reviews', { book, markdown });
    assert.equal(status, 201, told);
    return JSON.parse(told) as Review;
  }
}

for (const form of forms) {
  describe(`three languages in ${form.name}`, { skip, timeout: 300_000 }, () => {
    let running: Running;
    let visitor: Visitor;
    before(async () => {
      running = await form.start();
      visitor = new Visitor(running);
    });
    after(() => running?.stop());

    test('only those run that somebody has used', async () => {
      const before_ = await visitor.json<Health>('/health');
      assert.deepEqual([before_.python.state, before_.ruby.state, before_.java.state], ['running', 'not started', 'not started']);
      await visitor.review('A wonderful story, *beautifully* told.');
      const afterwards = await visitor.json<Health>('/health');
      for (const { state, version } of Object.values(afterwards)) {
        assert.equal(state, 'running');
        assert.match(version ?? '', /^\d+\.\d+/);
      }
    });

    test('one model answers typed routes and Express', async () => {
      const [status, told] = await visitor.post('/api/sentiment', { texts: ['What a lovely book', 'a dull and boring mess'] });
      assert.equal(status, 200, told);
      const [good, bad] = JSON.parse(told) as readonly Review[];
      assert.deepEqual([good?.mood, bad?.mood], ['good', 'bad']);
      assert.ok((good?.confidence ?? 0) > 0.5 && (bad?.confidence ?? 0) > 0.5);
      const page = await visitor.fetch(`/reviews/mood?text=${encodeURIComponent('What a lovely book')}`);
      assert.equal(await page.text(), `good (${Math.round((good?.confidence ?? 0) * 100)} %)`);
    });

    test('a review goes through Ruby, Python and Java, and is kept', async () => {
      const first = await visitor.review(
        '# Puffins\n\nThe plot is *dull*, and the end **boring** &mdash; a waste of time.',
        'Puffins & gulls',
      );
      assert.equal(
        first.html,
        '<h1>Puffins</h1>\n\n<p>The plot is <em>dull</em>, and the end <strong>boring</strong> — a waste of time.</p>',
      );
      assert.equal(first.text, 'Puffins\nThe plot is dull, and the end boring — a waste of time.');
      assert.equal(first.mood, 'bad');
      assert.equal(first.like, null);
      const again = await visitor.review('# Puffins\n\nThe plot is dull, and the end boring: a waste of time!');
      assert.equal(again.like?.id, first.id);
      assert.ok(again.like.similarity > 0.9 && again.like.similarity < 1);
      assert.deepEqual((await visitor.json<Review[]>('/api/reviews')).slice(-2), [first, again]);
      const page = await (await visitor.fetch('/reviews')).text();
      assert.ok(page.includes('<h2>Puffins &amp; gulls</h2>') && page.includes(first.html));
      assert.ok(page.includes(`much like <a href="#review-${first.id}">`));
    });

    test('a form of Express goes the same way', async () => {
      const form_ = new URLSearchParams({ book: 'Gulls', markdown: 'I *loved* every page' });
      const reply = await visitor.fetch('/reviews', { method: 'POST', body: form_ });
      assert.equal(reply.status, 303);
      const last = (await visitor.json<Review[]>('/api/reviews')).at(-1);
      assert.deepEqual([last?.book, last?.mood], ['Gulls', 'good']);
      assert.equal(reply.headers.get('location'), `/reviews#review-${last?.id}`);
    });

    test('what Markdown could do to a page it does not', async () => {
      const hostile = [
        'Lovely <script>alert(1)</script> <img src=x onerror=alert(1)>',
        '[lovely](javascript:alert(1)) [a](JaVaScRiPt:alert(1)) [data](data:text/html,x) <javascript:alert(1)>',
        'lovely\n{: onclick="alert(1)" style="x:y"}',
        '{::nomarkdown}<script>alert(1)</script>{:/} lovely',
        '{::options parse_block_html="true" /}\n<div onclick="alert(1)">lovely *story*</div>',
        '![lovely](javascript:alert(1)) [ok](https://example.org/?a=1&b="2")',
        '$$<script>lovely</script>$$',
      ];
      for (const markdown of hostile) {
        const { html } = await visitor.review(markdown);
        assert.doesNotMatch(html, /<(?!\/?(?:p|em|strong|a|h\d|ul|ol|li|blockquote|code|pre|br|hr)\b)/, html);
        assert.doesNotMatch(html, /<[^>]*(?:onclick|onerror|style|javascript:|data:)/i, html);
      }
    });

    test('what is no review, or says nothing, is refused with what is wrong', async () => {
      const api = '/api/reviews';
      for (const [path, content, status, told] of [
        [api, { book: 'Birds' }, 422, /"markdown"/],
        [api, { book: 7, markdown: ['x'] }, 422, /"received":"number"/],
        [api, '{"book":', 400, /JSON/],
        [api, { book: 'Birds', markdown: '\ud800 lovely' }, 422, /well-formed/],
        [api, { book: 'Birds', markdown: '{: .x}\n\n***' }, 422, /says nothing/],
        [api, { book: 'Birds', markdown: `${'> '.repeat(40)}lovely` }, 422, /too deep/],
        [api, { book: 'Birds', markdown: 'xyzzy plugh' }, 422, /no word that the model knows/],
        ['/api/sentiment', { texts: [] }, 422, /"texts"/],
        ['/api/sentiment', { texts: 'lovely' }, 422, /"received":"string"/],
        ['/api/sentiment', { texts: Array.from({ length: 65 }, () => 'lovely') }, 422, /"texts"/],
        ['/api/sentiment', { texts: ['lovely', 'xyzzy'] }, 422, /text 1 has no word/],
        [api, { book: 'Birds', markdown: 'x'.repeat(300_000) }, 413, /262144/],
      ] as const) {
        const [given, text] = await visitor.post(path, content);
        assert.equal(given, status, text);
        assert.match(text, told);
      }
      assert.equal((await visitor.post(api, 'lovely', 'text/plain'))[0], 415);
      const urlencoded = 'application/x-www-form-urlencoded';
      assert.equal((await visitor.post('/reviews', `book=x&markdown=${'y'.repeat(100_000)}`, urlencoded))[0], 413);
      assert.equal((await visitor.post('/reviews', 'book=x&book=y&markdown=lovely', urlencoded))[0], 422);
      assert.equal((await visitor.fetch('/reviews/mood?text=xyzzy')).status, 422);
    });

    test('an exception of a library is a 500 that tells nothing, and the next review is served', async () => {
      // Deeper than Ruby's stack: kramdown itself gives up.
      const [status, told] = await visitor.post('/api/reviews', { book: 'Birds', markdown: `${'>'.repeat(9_900)} lovely` });
      assert.equal(status, 500);
      assert.doesNotMatch(told, /stack|kramdown|markdown|\.rb|SystemStackError/i);
      assert.ok(
        running.lines.some((line) => line.includes('SystemStackError')),
        'the log tells',
      );
      await visitor.review('A lovely story after all');
    });

    test('two hundred at once have each their own answer', async () => {
      const before_ = (await visitor.json<Review[]>('/api/reviews')).length;
      const replies = await Promise.all(
        Array.from({ length: REQUESTS_AT_ONCE }, (_, at) => visitor.review(`A *lovely* story, number ${at}`, `Book ${at}`)),
      );
      assert.equal(new Set(replies.map(({ id }) => id)).size, REQUESTS_AT_ONCE);
      for (const [at, { book, text }] of replies.entries()) assert.deepEqual([book, text], [`Book ${at}`, `A lovely story, number ${at}`]);
      assert.equal((await visitor.json<Review[]>('/api/reviews')).length, before_ + REQUESTS_AT_ONCE);
    });

    test('it ends well', async () => assert.deepEqual(await running.stop(), { code: 0, signal: null }));
  });

  test(`${form.name}: at SIGTERM a review that is on its way is answered whole`, { skip, timeout: 120_000 }, async () => {
    const running = await form.start();
    const visitor = new Visitor(running);
    let isAnswered = false;
    // The first one: Ruby and Java begin with it, which takes its time.
    const answer = visitor.review('A **wonderful** story').finally(() => (isAnswered = true));
    while ((await visitor.json<Health>('/health')).ruby.state === 'not started');
    assert.equal(isAnswered, false, 'the review was there before the end was');
    const ended = running.stop();
    const { text, mood } = await answer;
    assert.deepEqual([text, mood], ['A wonderful story', 'good']);
    assert.deepEqual(await ended, { code: 0, signal: null });
  });
}

test('the log has no line of a guest that nobody wrote', { skip }, async () => {
  const running = await fromSources.start();
  await new Visitor(running).review('A lovely story');
  await running.stop();
  assert.deepEqual(
    running.lines.map((line) => line.replace(/\d+/g, 'N')),
    ['the model knows N words and pairs of words', 'listening on http://localhost:N'],
  );
});
