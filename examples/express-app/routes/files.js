/** /files: a download from disk (with ranges), an export made on the fly, and a large stream with back-pressure. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { join } from 'node:path';
import { Router } from 'express';

const LOG_LINES_DEFAULT = 200_000;
const LOG_LINES_MAX = 5_000_000;
const LINES_PER_CHUNK = 500;

export function createFilesRouter(notes, folder) {
  const files = Router();

  files.get('/handbook', (req, res) => res.download(join(folder, 'handbook.txt'), 'Fieldbook handbook.txt'));

  files.get('/notes.csv', (req, res) => {
    const { items, total } = notes.list({ limit: Number.MAX_SAFE_INTEGER });
    const rows = items.map((note) => [note.id, note.title, note.text, note.tags.join(' '), note.author].map(csv).join(','));
    res.attachment('notes.csv').set('X-Total-Count', String(total));
    res.send(`${['id,title,text,tags,author', ...rows].join('\r\n')}\r\n`);
  });

  files.get('/log', async (req, res) => {
    const lines = Math.min(Number.parseInt(req.query.lines, 10) || LOG_LINES_DEFAULT, LOG_LINES_MAX);
    res.attachment('observations.log');
    try {
      await pipeline(Readable.from(logLines(lines)), res);
    } catch (error) {
      // A reader who leaves early is no failure of ours.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  });
  return files;
}

/** A cell that a spreadsheet reads as text: quoted, and never as a formula. */
function csv(value) {
  const plain = String(value);
  return `"${(/^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain).replaceAll('"', '""')}"`;
}

function* logLines(count) {
  for (let from = 0; from < count; from += LINES_PER_CHUNK) {
    let chunk = '';
    for (let line = from; line < Math.min(from + LINES_PER_CHUNK, count); line += 1) {
      chunk += `${String(line).padStart(8, '0')} wind ${(line * 7) % 12} bft, swell ${(line * 5) % 9} m, birds ${(line * 31) % 97}\n`;
    }
    yield chunk;
  }
}
