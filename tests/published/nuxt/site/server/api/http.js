import http from 'node:http';

export default defineEventHandler(() => {
  console.log(`http is Fulmar's: ${Symbol.for('fulmar.version') in http}`);
  return null;
});
