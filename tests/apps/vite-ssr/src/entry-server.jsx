import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { App } from './app.jsx';

export const render = (url, load, options) => renderToPipeableStream(<App url={url} load={load} />, options);
export const renderAll = (url, birds) =>
  renderToString(<App url={url} load={Object.assign(Promise.resolve(birds), { status: 'fulfilled', value: birds })} />);
