/**
 * The page at `/_fulmar`: routes with a form to call each, requests of late as they come. One document without a request
 * to anywhere else; what it shows is put in by its script (`inspector-script.ts`), as text.
 */
import { dataFor, toPage } from './html.ts';
import { INSPECTOR_SCRIPT } from './inspector-script.ts';
import { OPEN_SCRIPT } from './error-page.ts';

export const toInspectorPage = (nonce: string, token: string): string =>
  toPage({
    title: 'Fulmar',
    nonce,
    style: STYLE,
    body: BODY + dataFor('fulmar-token', token),
    script: `${OPEN_SCRIPT}\n${INSPECTOR_SCRIPT}`,
  });

const BODY = `<main>
<header><h1>Fulmar</h1><span id="live" class="dim" role="status">connecting</span></header>
<p id="broken" class="red" role="alert" hidden></p>
<h2 id="routes-title">Routes <span id="routes-count" class="dim"></span></h2>
<label class="dim">Filter <input id="routes-filter" type="search" placeholder="/ method, path or file" autocomplete="off"></label>
<div id="routes" role="list" aria-labelledby="routes-title"></div>
<h2 id="requests-title">Requests <span id="requests-count" class="dim"></span></h2>
<label class="dim">Filter <input id="requests-filter" type="search" placeholder="method, path or status" autocomplete="off"></label>
<label class="dim"><input id="requests-failed" type="checkbox"> failed alone</label>
<table aria-labelledby="requests-title">
<thead><tr><th scope="col">Time</th><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Status</th><th scope="col">Handlers</th><th scope="col">Total</th><th scope="col">Size</th><th scope="col">Error</th></tr></thead>
<tbody id="requests"></tbody>
</table>
</main>
`;

const STYLE = `
header { display: flex; gap: 1rem; align-items: baseline; }
input[type=search], .call input, .call textarea { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: 4px; padding: .2rem .5rem; }
input[type=search] { width: 20rem; max-width: 100%; margin-right: 1rem; }
#routes details { margin: 0; border-radius: 0; border-top-width: 0; }
#routes details:first-child { border-top-width: 1px; }
#routes summary { display: flex; gap: .75rem; flex-wrap: wrap; }
#routes .method { width: 4.5rem; font-weight: 600; }
#routes .place { margin-left: auto; }
.call { padding: .75rem; display: grid; gap: .5rem; }
.call label { display: grid; grid-template-columns: 9rem 1fr; gap: .5rem; align-items: start; }
.call textarea { min-height: 4rem; width: 100%; }
.call .answer { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
#requests td { border-top: 1px solid var(--line); }
#requests td:not(:nth-child(3), :last-child) { white-space: nowrap; }
`;
