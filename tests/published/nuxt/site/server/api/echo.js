export default defineEventHandler(async (event) => {
  setResponseHeader(event, 'X-Method', event.method);
  appendResponseHeader(event, 'Set-Cookie', 'a=1');
  appendResponseHeader(event, 'Set-Cookie', 'b=2');
  const content = event.method === 'GET' || event.method === 'HEAD' ? undefined : await readRawBody(event);
  return { query: getQuery(event), type: getHeader(event, 'content-type'), length: content?.length, text: content?.slice(0, 20) };
});
