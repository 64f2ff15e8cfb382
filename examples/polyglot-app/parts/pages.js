/**
 * Pages for people: an Express application, in plain JavaScript, that calls the same model and sends reviews the same way
 * as the typed routes. It knows nothing of Fulmar; what it needs is given to it.
 */
import express from 'express';

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text) => String(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark]);
const BOOK_MAX = 200;
const MARKDOWN_MAX = 10_000;

export function createPages({ reviews, judge }) {
  const app = express();
  app.use(express.urlencoded({ extended: false, limit: '64kb' }));

  app.get('/', (_req, res) => res.send(page(reviews.all())));

  app.post('/', async (req, res) => {
    const { book, markdown } = req.body ?? {};
    if (!isText(book, BOOK_MAX) || !isText(markdown, MARKDOWN_MAX))
      return res.status(422).type('text').send('A book and a review, please.');
    const { id } = await reviews.add({ book, markdown });
    return res.redirect(303, `${req.baseUrl}#review-${id}`);
  });

  app.get('/mood', async (req, res) => {
    const { text } = req.query;
    if (!isText(text, MARKDOWN_MAX)) return res.status(400).type('text').send('Ask with ?text=…');
    const [{ mood, confidence }] = await judge([text]);
    return res.type('text').send(`${mood} (${Math.round(confidence * 100)} %)`);
  });

  return app;
}

const isText = (value, max) => typeof value === 'string' && value.trim() !== '' && value.length <= max && value.isWellFormed();

function page(all) {
  const items = all
    .toReversed()
    .map(
      ({ id, book, html, mood, confidence, like }) => `<article id="review-${id}">
<h2>${escape(book)}</h2>
${html}
<p><small>${mood}, ${Math.round(confidence * 100)} %${like === null ? '' : `, much like <a href="#review-${like.id}">number ${like.id}</a>`}</small></p>
</article>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Reviews</title>
<h1>Reviews</h1>
<form method="post">
<p><label>Book <input name="book" required maxlength="${BOOK_MAX}"></label></p>
<p><label>Review, in Markdown<br><textarea name="markdown" required maxlength="${MARKDOWN_MAX}" rows="6" cols="60"></textarea></label></p>
<p><button>Send</button></p>
</form>
${items}
</html>
`;
}
