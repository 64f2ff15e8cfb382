/** Signing in and out, and the light or dark choice that a cookie remembers. */
import express, { Router } from 'express';

const THEMES = ['auto', 'light', 'dark'];
const THEME_MS = 365 * 24 * 60 * 60 * 1000;

export function createAccountRouter(accounts) {
  const account = Router();
  const form = express.urlencoded({ extended: false, limit: '4kb' });

  account.get('/login', (req, res) => res.render('login', { page: 'Sign in', to: localPath(req.query.to), name: '', failed: false }));

  account.post('/login', form, async (req, res, next) => {
    const { name, password, to } = req.body ?? {};
    const user = await accounts.verify(name, password);
    if (user === undefined) {
      return res.status(401).render('login', { page: 'Sign in', to: localPath(to), name: String(name ?? ''), failed: true });
    }
    // A fresh id, so that one planted before signing in is worth nothing.
    req.session.regenerate((error) => {
      if (error) return next(error);
      req.session.userName = user.name;
      req.session.notice = `Welcome, ${user.label}.`;
      res.redirect(303, localPath(to));
    });
  });

  account.post('/logout', (req, res, next) => {
    req.session.destroy((error) => {
      if (error) return next(error);
      res.clearCookie('fieldbook.sid').redirect(303, '/');
    });
  });

  account.post('/theme', form, (req, res) => {
    const theme = THEMES.includes(req.body?.theme) ? req.body.theme : 'auto';
    res.cookie('theme', theme, { maxAge: THEME_MS, sameSite: 'lax', signed: true, httpOnly: true });
    res.redirect(303, localPath(req.body?.to));
  });
  return account;
}

/** A path of this site to return to; anything that could lead elsewhere becomes the home page. */
function localPath(value) {
  return typeof value === 'string' && /^\/(?![/\\])[\w\-./?=&%]*$/.test(value) ? value : '/';
}
