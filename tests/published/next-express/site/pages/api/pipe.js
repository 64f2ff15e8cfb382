export default function handler(req, res) {
  req.pipe(res);
}
export const config = { api: { bodyParser: false } };
