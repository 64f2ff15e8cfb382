/**
 * The script of the page at `/_fulmar`. Runs in browsers: reads `/_fulmar/state` once and `/_fulmar/events` from then
 * on, calls routes as any page of the same origin may. Whatever it shows it sets as text.
 */
import { REQUESTS_MAX } from './limits.ts';

export const INSPECTOR_SCRIPT = `
const byId = (id) => document.getElementById(id);
const make = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const requests = new Map();
let routes = [];

const parametersOf = (path) => {
  const names = [];
  for (const [, name, rest] of path.matchAll(/[:*]([A-Za-z_]\\w*)|(\\*)/g)) names.push(name || rest);
  return [...new Set(names)];
};

const filled = (path, values) =>
  path.replaceAll(/\\{[^}]*\\}/g, '').replaceAll(/[:*]([A-Za-z_]\\w*)\\??|\\*/g, (found, name) => {
    const value = values[name || '*'] || '';
    return found.startsWith('*') ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });

const field = (text, control) => make('label', {}, make('span', { class: 'dim' }, text), control);

const toHeaders = (text) => {
  const headers = new Headers();
  for (const line of text.split('\\n')) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return headers;
};

const sizeText = (bytes) => (bytes === null ? '' : bytes < 1024 ? bytes + ' B' : (bytes / 1024).toFixed(1) + ' KiB');
const msText = (ms) => (ms === null ? '' : ms.toFixed(ms < 10 ? 2 : 0) + ' ms');
const BODY_CHARS_MAX = 200000;

async function call(route, form, answer) {
  answer.textContent = 'waiting';
  const data = new FormData(form);
  const values = {};
  for (const name of parametersOf(route.path)) values[name] = String(data.get('param:' + name) || '');
  const query = String(data.get('query') || '');
  const url = filled(route.path, values) + (query === '' ? '' : '?' + query.replace(/^\\?/, ''));
  const method = String(data.get('method'));
  const started = performance.now();
  try {
    const headers = toHeaders(String(data.get('headers') || ''));
    const body = String(data.get('body') || '');
    const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD';
    if (hasBody && !headers.has('content-type')) headers.set('content-type', 'application/json');
    const reply = await fetch(new URL(url, location.origin), { method, headers, redirect: 'manual', ...(hasBody ? { body } : {}) });
    const text = await reply.text();
    const fields = [...reply.headers].map(([name, value]) => name + ': ' + value).join('\\n');
    const status = reply.type === 'opaqueredirect' ? 'a redirect, which the browser tells no more of' : reply.status + ' ' + reply.statusText;
    const cut = text.length > BODY_CHARS_MAX ? text.slice(0, BODY_CHARS_MAX) + '…' : text;
    answer.textContent = status + '  ' + msText(performance.now() - started) + '\\n' + fields + '\\n\\n' + cut;
  } catch (error) {
    answer.textContent = 'It could not be called: ' + error.message;
  }
}

function formOf(route) {
  const isAny = route.method === '*';
  const method = make('input', { name: 'method', value: isAny ? 'GET' : route.method, ...(isAny ? {} : { readonly: '' }) });
  const form = make('form', { class: 'call' }, field('Method', method));
  for (const name of parametersOf(route.path)) form.append(field(name, make('input', { name: 'param:' + name, autocomplete: 'off' })));
  form.append(field('Query', make('input', { name: 'query', placeholder: 'page=1&sort=name', autocomplete: 'off' })));
  form.append(field('Header fields', make('textarea', { name: 'headers', placeholder: 'Accept: application/json', spellcheck: 'false' })));
  if (isAny || !['GET', 'HEAD'].includes(route.method)) {
    form.append(field('Body', make('textarea', { name: 'body', placeholder: '{ "name": "value" }', spellcheck: 'false' })));
  }
  const answer = make('pre', { class: 'answer', 'aria-live': 'polite' });
  form.append(make('div', {}, make('button', { type: 'submit' }, 'Send')), answer);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void call(route, form, answer);
  });
  return form;
}

/** In the project as it is: folders of routes have many files of one name. */
const shortPlace = (place) => (/^(?:[\\\\/]|[A-Za-z]:|file:)/.test(place) ? place.split(/[\\\\/]/).pop() : place);

function rowOf(route) {
  const about = [route.style, ...(route.schemas || []).map((name) => 'schema of ' + name), route.host || ''].filter(Boolean).join(', ');
  const summary = make('summary', {}, make('span', { class: 'method mono' }, route.method), make('span', { class: 'mono' }, route.path));
  summary.append(make('span', { class: 'dim' }, about));
  const place = /^(.*):(\\d+)(?::(\\d+))?$/.exec(route.place || '');
  if (place) {
    const query = new URLSearchParams({ file: place[1], line: place[2], column: place[3] || '1' });
    summary.append(make('button', { type: 'button', class: 'place', 'data-open': '/_fulmar/open?' + query, title: route.place }, shortPlace(route.place)));
  }
  const row = make('details', { role: 'listitem' }, summary);
  if (route.method === 'WS') row.append(make('div', { class: 'call dim' }, 'A WebSocket: open it from a page.'));
  else row.addEventListener('toggle', () => row.open && !row.querySelector('form') && row.append(formOf(route)));
  return row;
}

const fits = (text, filter) => filter.toLowerCase().split(/\\s+/).every((word) => text.toLowerCase().includes(word));

function showRoutes() {
  const filter = byId('routes-filter').value;
  const found = routes.filter(({ method, path, style, place }) => fits([method, path, style, place].join(' '), filter));
  byId('routes').replaceChildren(...found.map(rowOf));
  byId('routes-count').textContent = found.length === routes.length ? String(found.length) : found.length + ' of ' + routes.length;
}

function requestRow({ id, method, target, at, state, status, handlersMs, totalMs, bytes, error }) {
  const cell = (text, name = '') => make('td', { class: name }, text);
  const told = status === null ? state : status + (state === 'answered' ? '' : ' ' + state);
  const failed = make('td', { class: 'red' });
  if (error !== null) failed.append(make('a', { href: '/_fulmar/requests/' + id }, error));
  const color = status === null ? 'dim' : status >= 500 ? 'red' : status < 400 ? 'green' : '';
  return make('tr', {}, cell(new Date(at).toLocaleTimeString(), 'dim'), cell(method, 'mono'), cell(target, 'mono'), cell(told, color), cell(msText(handlersMs)), cell(msText(totalMs)), cell(sizeText(bytes)), failed);
}

function showRequests() {
  const filter = byId('requests-filter').value;
  const failedAlone = byId('requests-failed').checked;
  const found = [...requests.values()].reverse().filter(({ method, target, status, error }) => {
    return fits([method, target, status].join(' '), filter) && (!failedAlone || error !== null || status >= 400);
  });
  byId('requests').replaceChildren(...found.map(requestRow));
  byId('requests-count').textContent = found.length === requests.size ? String(found.length) : found.length + ' of ' + requests.size;
}

function take(list) {
  for (const one of list) requests.set(one.id, one);
  const ids = [...requests.keys()].sort((a, b) => a - b);
  for (const id of ids.slice(0, Math.max(0, ids.length - ${REQUESTS_MAX}))) requests.delete(id);
  showRequests();
}

function showBroken(broken) {
  byId('broken').hidden = !broken;
  byId('broken').textContent = broken ? broken.title : '';
}

async function load() {
  const state = await (await fetch('/_fulmar/state')).json();
  routes = state.routes;
  requests.clear();
  showBroken(state.broken || (state.problem && { title: state.problem }));
  showRoutes();
  take(state.requests);
}

byId('routes-filter').addEventListener('input', showRoutes);
byId('requests-filter').addEventListener('input', showRequests);
byId('requests-failed').addEventListener('change', showRequests);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(?:INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  byId('routes-filter').focus();
});

const live = byId('live');
const source = new EventSource('/_fulmar/events?requests');
const on = (name, act) => source.addEventListener(name, (event) => act(JSON.parse(event.data)));
source.addEventListener('open', () => (live.textContent = 'live'));
source.addEventListener('error', () => (live.textContent = 'the server is away'));
on('hello', () => void load());
on('reload', () => void load());
on('requests', take);
on('broken', showBroken);
on('mended', () => showBroken(null));
addEventListener('pagehide', () => source.close());
`;
