// The Express application: middleware in order, then the routers, then what answers errors. Does not listen.
import cors from 'cors';
import express from 'express';
import morgan from 'morgan';
import { createTokens } from './lib/tokens.js';
import { createAuth } from './middleware/auth.js';
import { handleError, handleNotFound } from './middleware/errors.js';
import { articlesRouter } from './routes/articles.js';
import { profilesRouter } from './routes/profiles.js';
import { tagsRouter } from './routes/tags.js';
import { userRouter, usersRouter } from './routes/users.js';

export function createApp({ storage, secret, isLogging }) {
  const app = express();
  const tokens = createTokens(secret);
  const context = { storage, tokens, auth: createAuth(tokens) };

  app.disable('x-powered-by');
  if (isLogging) app.use(morgan('dev'));
  app.use(cors());
  app.use(express.json());

  app.get('/', (req, res) => {
    res.json({
      name: 'RealWorld API',
      version: '1.0.0',
      storage: storage.name,
      resources: ['users', 'user', 'profiles', 'articles', 'tags'],
    });
  });
  app.use('/api/users', usersRouter(context));
  app.use('/api/user', userRouter(context));
  app.use('/api/profiles', profilesRouter(context));
  app.use('/api/articles', articlesRouter(context));
  app.use('/api/tags', tagsRouter(context));

  app.use(handleNotFound);
  app.use(handleError);
  return app;
}
