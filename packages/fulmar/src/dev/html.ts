/** What pages of `fulmar dev` share: escaping, their frame, their colours. Text of an application is never markup. */
import escaped from 'escape-html';

/** Text, for content and for attributes in quotes. */
export { escaped };

/** Data for a script of the page: JSON in which no tag ends. */
export const dataFor = (id: string, data: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

const STYLE = `
:root { color-scheme: light dark; --back: #f7f8fa; --box: #fff; --line: #d9dde5; --text: #1b1f27; --dim: #5b6473; --mark: #fdecee; --red: #b3152b; --blue: #0b57b7; --green: #13703a; }
@media (prefers-color-scheme: dark) { :root { --back: #0f1218; --box: #171b23; --line: #2c323e; --text: #e6e9ef; --dim: #98a2b3; --mark: #3a1d24; --red: #ff8a96; --blue: #7db4ff; --green: #6fd39a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.35rem; margin: .25rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
code, pre, kbd, .mono, td.mono, textarea { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .86rem; }
pre { margin: 0; overflow: auto; }
section, details { background: var(--box); border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; }
section { padding: .75rem 1rem; }
summary { padding: .4rem .75rem; cursor: pointer; overflow-wrap: anywhere; }
summary:focus-visible, button:focus-visible, input:focus-visible, textarea:focus-visible, a:focus-visible { outline: 2px solid var(--blue); outline-offset: 1px; }
details > pre, details > div { border-top: 1px solid var(--line); padding: .5rem 0; }
.dim { color: var(--dim); }
.red { color: var(--red); }
.green { color: var(--green); }
a { color: var(--blue); }
button { font: inherit; font-size: .86rem; color: var(--text); background: var(--back); border: 1px solid var(--line); border-radius: 4px; padding: .1rem .6rem; cursor: pointer; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .2rem .6rem .2rem 0; vertical-align: top; overflow-wrap: anywhere; }
th { white-space: nowrap; font-weight: 600; color: var(--dim); font-size: .86rem; }
`;

export interface Page {
  readonly title: string;
  readonly nonce: string;
  readonly style: string;
  readonly body: string;
  readonly script: string;
}

export const toPage = ({ title, nonce, style, body, script }: Page): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style nonce="${nonce}">${STYLE}${style}</style>
</head>
<body>
${body}
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
