export const GET = ({ url, redirect }) =>
  url.searchParams.has('redirect')
    ? redirect('/', 307)
    : url.searchParams.has('crash')
      ? Promise.reject(new Error('x'))
      : url.searchParams.has('stream')
        ? new Response(
            new ReadableStream({
              start(c) {
                c.enqueue(new TextEncoder().encode('one'));
                setTimeout(() => {
                  c.enqueue(new TextEncoder().encode('two'));
                  c.close();
                }, 20);
              },
            }),
          )
        : Response.json(
            { ok: true },
            {
              headers: [
                ['Set-Cookie', 'a=1'],
                ['Set-Cookie', 'b=2'],
              ],
            },
          );
export const POST = async ({ request }) =>
  new Response(JSON.stringify({ length: (await request.text()).length, type: request.headers.get('content-type') }), { status: 201 });
