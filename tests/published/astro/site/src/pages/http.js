import http from 'node:http';

export const GET = () => {
  console.log(`http is Fulmar's: ${Symbol.for('fulmar.version') in http}`);
  return new Response(null, { status: 204 });
};
