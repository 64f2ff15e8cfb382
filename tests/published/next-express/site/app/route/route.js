export async function POST(request) {
  return Response.json(
    { length: (await request.text()).length, type: request.headers.get('content-type') },
    { status: 201, headers: { 'X-Route': '1' } },
  );
}
export const GET = () =>
  new Response(
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
export const dynamic = 'force-dynamic';
