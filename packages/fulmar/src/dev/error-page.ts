/**
 * The page that stands for a failed request: the error with its causes, the source of each frame of the application, the
 * request. Complete without its script, which opens editors. Everything on it is text.
 */
import { randomBytes } from 'node:crypto';
import { CLIENT_PATH } from './client-script.ts';
import type { Failure } from './failure.ts';
import { dataFor, escaped, toPage } from './html.ts';
import { LINES_AROUND_PAGE, SOURCES_MAX } from './limits.ts';
import type { Field, RequestEntry } from './request-log.ts';
import { beforeCaret, inProject, linesAround, shortPath } from './source.ts';
import type { Frame } from './stack.ts';

export interface ErrorPageOptions {
  readonly root: string;
  /** For scripts of the page that have something done. */
  readonly token: string;
  /** Null: of no request. */
  readonly entry: RequestEntry | null;
}

const NONCE_BYTES = 16;

export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('hex');

/** The page, and the nonce that its policy names. */
export function toErrorPage(failure: Failure, options: ErrorPageOptions): { html: string; nonce: string } {
  const nonce = newNonce();
  const drawing: Drawing = { root: options.root, sourcesLeft: SOURCES_MAX };
  const { entry } = options;
  const where = entry === null ? '' : `<p class="mono dim">${escaped(`${entry.method} ${entry.target}`)}</p>`;
  const body = `<main id="fulmar-error">${where}${drawn(failure, drawing, 1)}${entry === null ? '' : requestOf(entry)}
<p class="dim">This page is shown by <code>fulmar dev</code> alone, to browsers. <a href="/_fulmar">Routes and requests</a></p></main>
${dataFor('fulmar-token', options.token)}<script src="${CLIENT_PATH}"></script>`;
  return { html: toPage({ title: `${failure.name}: ${firstLine(failure.message)}`, nonce, style: STYLE, body, script: SCRIPT }), nonce };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

interface Drawing {
  readonly root: string;
  sourcesLeft: number;
}

function drawn(failure: Failure, drawing: Drawing, level: number): string {
  const { name, message, code, note, cause, errors } = failure;
  const heading = level === 1 ? 'h1' : 'h2';
  const codeText = code === null ? '' : ` <code class="dim">${escaped(code)}</code>`;
  const own = `<${heading}><span class="red">${escaped(name)}</span>${message === '' ? '' : `: ${escaped(message)}`}${codeText}</${heading}>`;
  const noted = note === null ? '' : `<p class="dim">${escaped(note)}</p>`;
  const inner = errors.map((error, at) => nested(`Error ${at + 1} of ${errors.length}`, error, { drawing, level }));
  const causes = cause === null ? '' : nested('Caused by', cause, { drawing, level });
  return `${own}${noted}${framesOf(failure.frames, drawing)}${inner.join('')}${causes}`;
}

const nested = (title: string, failure: Failure, { drawing, level }: { drawing: Drawing; level: number }): string =>
  `<section class="nested"><p class="dim">${title}</p>${drawn(failure, drawing, level + 1)}</section>`;

function framesOf(frames: readonly Frame[], drawing: Drawing): string {
  let isFirst = true;
  const own = frames.filter(({ owner }) => owner === 'application');
  const others = frames.filter(({ owner }) => owner !== 'application');
  const shown = own.map((frame) => {
    const text = frameOf(frame, drawing, isFirst);
    isFirst = false;
    return text;
  });
  const rest = others.map((frame) => `${escaped(placeText(frame, drawing.root))}\n`).join('');
  const folded =
    rest === ''
      ? ''
      : `<details class="others"><summary class="dim">${others.length} of packages, Fulmar and Node</summary><pre class="dim">${rest}</pre></details>`;
  return shown.join('') + folded;
}

function placeText({ name, file, line, column }: Frame, root: string): string {
  return `${name === '' ? '' : `${name} `}${shortPath(root, file)}:${line}:${column}`;
}

function frameOf(frame: Frame, drawing: Drawing, isOpen: boolean): string {
  const { root } = drawing;
  const lines = drawing.sourcesLeft > 0 ? linesAround(root, frame, LINES_AROUND_PAGE) : [];
  const place = `${frame.name === '' ? '' : `<b>${escaped(frame.name)}</b> `}<span class="mono">${escaped(`${shortPath(root, frame.file)}:${frame.line}:${frame.column}`)}</span>`;
  if (lines.length === 0) return `<section class="frame">${place}</section>`;
  drawing.sourcesLeft--;
  const width = String(lines.at(-1)?.number).length;
  const text = lines.map((line) => {
    const shown = `${String(line.number).padStart(width + 1)} │ ${escaped(line.text)}`;
    if (!line.isMeant) return `<span class="line">${shown}\n</span>`;
    const meant = `<span class="line meant">${shown}\n</span>`;
    if (frame.column > line.text.length + 1) return meant;
    const before = beforeCaret(line.text, frame.column);
    return `${meant}<span class="line meant red">${' '.repeat(width + 1)} │ ${before}^\n</span>`;
  });
  return `<details class="frame"${isOpen ? ' open' : ''}><summary>${place}${editorButton(frame, root)}</summary><pre>${text.join('')}</pre></details>`;
}

function editorButton({ file, line, column }: Frame, root: string): string {
  if (inProject(root, file) === undefined) return '';
  const query = new URLSearchParams({ file, line: String(line), column: String(column) });
  return ` <button type="button" data-open="${escaped(`/_fulmar/open?${query}`)}">Open in editor</button>`;
}

function requestOf({ method, target, fields, params }: RequestEntry): string {
  const at = target.indexOf('?');
  const query = at < 0 ? [] : [...new URLSearchParams(target.slice(at + 1))];
  const path = at < 0 ? target : target.slice(0, at);
  return `<h2>Request</h2><section id="fulmar-request"><p class="mono">${escaped(`${method} ${path}`)}</p>
${tableOf('Parameters', params ?? [])}${tableOf('Query', query)}${tableOf('Header fields', fields)}</section>`;
}

function tableOf(title: string, rows: readonly Field[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td class="mono">${escaped(value)}</td></tr>`);
  return `<table><caption class="dim">${title}</caption>${lines.join('')}</table>`;
}

const STYLE = `
.line { display: block; padding: 0 .75rem; }
.meant { background: var(--mark); }
.nested { border-left: 3px solid var(--red); }
.frame > summary { display: flex; gap: .6rem; align-items: baseline; flex-wrap: wrap; }
.frame > summary button { margin-left: auto; }
#fulmar-request th { width: 14rem; }
caption { text-align: left; padding-top: .5rem; }
`;

/** Opens editors, and says where that did not work. */
export const OPEN_SCRIPT = `
const token = JSON.parse(document.getElementById('fulmar-token').textContent);
document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-open]') : null;
  if (!button) return;
  event.preventDefault();
  const reply = await fetch(button.dataset.open, { method: 'POST', headers: { 'X-Fulmar-Token': token } });
  button.textContent = reply.ok ? 'Opened' : await reply.text();
});
`;

const SCRIPT = OPEN_SCRIPT;
