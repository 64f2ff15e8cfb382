// How applications import `fulmar/express4`, for the type checker: never run, checked with the sources.
import express, { Router, type NextFunction, type Request, type Response } from 'fulmar/express4';
import http from 'fulmar/http';

const router: express.Router = Router();
router.get('/birds/:id', (req: Request<{ id: string }>, res: Response) => {
  res.json({ id: req.param('id') });
});

export const app: express.Express = express().use(express.json(), express.static('public'), express.query({}), router);
app.use((error: unknown, req: express.Request, res: express.Response, _next: NextFunction) => {
  res.status(500).send(`${req.path}: ${String(error)}`);
});

export const server: http.Server = http.createServer(app);
