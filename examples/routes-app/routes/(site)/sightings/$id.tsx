/** One sighting, rendered with Preact. */
import { HttpError } from 'fulmar';
import type { RouteContext } from 'fulmar/routes';
import { renderToString } from 'preact-render-to-string';
import { find, type Sighting } from '../../../lib/logbook.ts';

const Page = ({ species, count, by, at }: Sighting) => (
  <html lang="en">
    <head>
      <title>{species}</title>
      <link rel="stylesheet" href="/site.css" />
    </head>
    <body>
      <h1>{species}</h1>
      <p>
        {count} seen by <strong>{by}</strong> at <time dateTime={at}>{at}</time>
      </p>
    </body>
  </html>
);

export function GET(c: RouteContext<'/sightings/$id'>) {
  const found = find(Number(c.params.id));
  if (found === undefined) throw new HttpError(404, `There is no sighting ${c.params.id}.`);
  return c.html(`<!doctype html>${renderToString(<Page {...found} />)}`);
}
