/**
 * `/_fulmar/client.js`: reloads a page when the server has loaded changed files, and lays over it what is broken until
 * that is mended. Runs in browsers; asks for nothing but `/_fulmar/events`. A page in the background holds no
 * connection, of which a browser has few for each server.
 */
export const CLIENT_PATH = '/_fulmar/client.js';

/** `version`: of what is loaded when the script is asked for; a page that meets another one is old. */
export const clientScript = (version: string): string => `(() => {
  'use strict';
  if (window.__fulmarDev) return;
  window.__fulmarDev = true;
  const version = ${JSON.stringify(version)};
  let source = null;
  let overlay = null;

  const add = (parent, name, style, text) => {
    const element = document.createElement(name);
    element.style.cssText = style;
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };

  const hide = () => {
    if (overlay) overlay.remove();
    overlay = null;
  };

  const show = ({ title, text }) => {
    hide();
    overlay = document.createElement('fulmar-overlay');
    overlay.setAttribute('role', 'alert');
    const root = overlay.attachShadow({ mode: 'open' });
    const back = add(root, 'div', 'all:initial;position:fixed;inset:0;z-index:2147483647;overflow:auto;background:rgba(10,12,16,.85);color:#f2f4f8;font:14px/1.5 ui-monospace,monospace;padding:4vh 4vw;box-sizing:border-box');
    const box = add(back, 'div', 'display:block;max-width:70rem;margin:0 auto;background:#15181f;border-top:4px solid #ff5c6c;border-radius:6px;padding:1.25rem 1.5rem');
    add(box, 'strong', 'display:block;color:#ff8a96;font-size:16px;margin-bottom:.75rem', title);
    add(box, 'pre', 'white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font:inherit', text);
    const close = add(box, 'button', 'margin-top:1rem;font:inherit;padding:.25rem .75rem;cursor:pointer', 'Close (Esc)');
    close.addEventListener('click', hide);
    document.documentElement.append(overlay);
  };

  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });

  const open = () => {
    if (source || document.visibilityState === 'hidden') return;
    source = new EventSource('/_fulmar/events');
    const on = (name, act) => source.addEventListener(name, (event) => act(JSON.parse(event.data)));
    on('hello', (hello) => {
      if (hello.version !== version) location.reload();
      else if (hello.broken) show(hello.broken);
      else hide();
    });
    on('reload', () => location.reload());
    on('broken', show);
    on('mended', hide);
  };

  const close = () => {
    if (source) source.close();
    source = null;
  };

  document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? close() : open()));
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
  open();
})();
`;
