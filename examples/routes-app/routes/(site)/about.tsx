/** A page that never changes: made when the project is built. */
import type { RouteContext } from 'fulmar/routes';
import { renderToString } from 'preact-render-to-string';

export const prerender = true;

const birds = ['Northern fulmar', 'Atlantic puffin', 'Great skua'];

export const GET = (c: RouteContext<'/about'>) =>
  c.html(
    `<!doctype html>${renderToString(
      <html lang="en">
        <head>
          <title>About</title>
        </head>
        <body>
          <h1>About the observatory</h1>
          <ul>
            {birds.map((bird) => (
              <li>{bird}</li>
            ))}
          </ul>
          <p id="made">{new Date().toISOString()}</p>
        </body>
      </html>,
    )}`,
  );
