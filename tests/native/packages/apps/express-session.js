import session from 'express-session';
import { serve } from './serve.js';
let made = 0;
serve((app) => {
  app.use(
    session({
      secret: ['one', 'two'],
      resave: false,
      saveUninitialized: false,
      genid: () => `session-${(made += 1)}`,
      cookie: { sameSite: 'lax' },
    }),
  );
  app.get('/count', (req, res) => {
    const data = req.session;
    data.count = (data.count ?? 0) + 1;
    res.json({
      id: req.sessionID,
      count: data.count,
    });
  });
  app.get(
    '/new',
    (req, res, next) =>
      void req.session.regenerate((error) => (error === undefined || error === null ? res.json(req.sessionID) : next(error))),
  );
  app.get('/end', (req, res) => void req.session.destroy(() => res.json(req.session === undefined)));
});
