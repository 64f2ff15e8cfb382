import { error, json, redirect } from '@sveltejs/kit';
export const GET = ({ url, getClientAddress }) => {
  if (url.searchParams.has('error')) error(418, 'teapot');
  if (url.searchParams.has('redirect')) redirect(307, '/');
  if (url.searchParams.has('stream'))
    return new Response(
      new ReadableStream({
        start(c) {
          c.enqueue(new TextEncoder().encode('one'));
          setTimeout(() => {
            c.enqueue(new TextEncoder().encode('two'));
            c.close();
          }, 20);
        },
      }),
    );
  return json({ query: url.search, address: typeof getClientAddress() });
};
export const POST = async ({ request }) =>
  json({ length: (await request.text()).length, type: request.headers.get('content-type') }, { status: 201 });
