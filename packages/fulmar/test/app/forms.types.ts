/** What the type checker knows of forms, files and proxies: never run, checked with the sources. */
import type { App, FieldPart, FilePart } from '../../src/app/index.ts';
import { compress, proxy, staticFiles } from '../../src/app/middleware/index.ts';

/** `true` only for types that are the same, optional and readonly members as well. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Does not compile unless the two are the same. */
declare function same<One, Other>(is: Same<One, Other>): void;
declare const app: App;

app.post('/form', async (c) => {
  const form = await c.body.form({ limits: { fields: 3 }, names: 'latin1' });
  same<typeof form, FormData>(true);
  // @ts-expect-error a limit that is none
  await c.body.form({ limits: { field: 3 } });
});

app.post('/parts', async (c) => {
  for await (const part of c.body.multipart()) {
    if (part.kind === 'field') {
      same<typeof part, FieldPart>(true);
      // @ts-expect-error a field is there already
      await part.saveTo('a');
    } else {
      same<typeof part, FilePart>(true);
      const saved = await part.saveTo('a', { overwrite: true });
      same<typeof saved, { readonly path: string; readonly size: number }>(true);
      // @ts-expect-error a file has no value
      void part.value;
    }
  }
});

// As middleware, for a path, as handlers.
app.use(staticFiles('public'), compress({ level: { br: 4 } }), proxy('http://127.0.0.1:1'));
app.use('/assets', staticFiles({ root: new URL('file:///public'), precompressed: ['br'] }));
app.get('/assets/*path', staticFiles('public'));
app.all('/api/*path', proxy({ upstreams: ['http://127.0.0.1:1'], headers: (c) => ({ 'X-Path': c.path, 'X-None': null }) }));
// @ts-expect-error a coding that no file has
staticFiles({ root: 'public', precompressed: ['deflate'] });
// @ts-expect-error an encoding that is none
compress({ encodings: ['lzma'] });
