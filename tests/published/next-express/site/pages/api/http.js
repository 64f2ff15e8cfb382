import http from 'node:http';

export default function handler(_req, res) {
  console.log(`http is Fulmar's: ${Symbol.for('fulmar.version') in http}`);
  res.status(204).end();
}
