/** Who asks: `req.user` and `res.locals.user` from the session, a one-time message, and a guard for routes that need both. */

export function attachUser(accounts) {
  return (req, res, next) => {
    req.user = req.session.userName === undefined ? undefined : accounts.find(req.session.userName);
    res.locals.user = req.user;
    res.locals.path = req.path;
    res.locals.theme = req.signedCookies.theme || 'auto';
    res.locals.notice = req.session.notice;
    if (req.session.notice !== undefined) delete req.session.notice;
    next();
  };
}

/** Lets signed-in users pass; others get 401 as JSON, or the sign-in page that leads back here. */
export function requireUser(req, res, next) {
  if (req.user !== undefined) return next();
  if (req.accepts(['html', 'json']) === 'json' || req.baseUrl === '/api') {
    return res.status(401).json({ error: 'Sign in first' });
  }
  res.redirect(303, `/login?to=${encodeURIComponent(req.originalUrl)}`);
}
