export default function handler(req, res) {
  res.setHeader('X-Api', '1');
  if (req.query.status) return res.status(Number(req.query.status)).end();
  if (req.query.send) return res.send(Buffer.from('bytes'));
  res.json({ method: req.method, query: req.query, body: req.body ?? null, cookies: req.cookies });
}
