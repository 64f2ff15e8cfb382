export const prerender = true;
export const GET = () => new Response(JSON.stringify({ prerendered: true }));
