/** Uploads by multer, files that are streamed, @nestjs/serve-static. */
import { playNestApp } from './support/play.ts';

function form(...parts: (readonly [name: string, text: string, file?: string, type?: string])[]): RequestInit {
  const body = new FormData();
  for (const [name, text, file, type = 'text/plain'] of parts) {
    if (file === undefined) body.append(name, text);
    else body.append(name, new Blob([text], { type }), file);
  }
  return { method: 'POST', body };
}

playNestApp({
  name: 'files',
  native: true,
  include: ['public'],
  // Of files that a build has written anew.
  masks: [/W\/"[^"]+"/g, /\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g],
  async play({ ask }) {
    await ask('/files/one', form(['file', 'hello', 'a.txt'], ['title', 'A']));
    await ask('/files/one', form(['title', 'no file']));
    await ask('/files/one', form(['other', 'hello', 'a.txt']));
    await ask('/files/one', form(['file', 'x'.repeat(65), 'big.txt']));
    await ask('/files/many', form(['files', '1', '1.txt'], ['files', '22', '2.bin', 'application/octet-stream']));
    await ask('/files/many', form(['files', '1', '1.txt'], ['files', '2', '2.txt'], ['files', '3', '3.txt']));
    await ask('/files/fields', form(['avatar', 'a', 'a.png', 'image/png'], ['background', 'b', 'b.png'], ['background', 'c', 'c.png']));
    await ask('/files/checked', form(['file', 'short', 'a.txt']));
    await ask('/files/checked', form(['file', 'much too long', 'a.txt']));
    await ask('/files/checked', form(['title', 'none']));
    await ask('/files/built', form(['file', 'text', 'a.txt']));
    await ask('/files/built', form(['file', '{}', 'a.json', 'application/json']));
    await ask('/files/built', form(['title', 'none']));
    for (const path of ['stream', 'bytes', 'sent', 'both', 'none']) await ask(`/files/${path}`);
    for (const path of ['/', '/notes.txt', '/assets/notes.txt', '/elsewhere', '/index.html']) await ask(path);
    await ask('/notes.txt', { headers: { range: 'bytes=0-4' } });
    await ask('/notes.txt', { method: 'POST' });
  },
});
