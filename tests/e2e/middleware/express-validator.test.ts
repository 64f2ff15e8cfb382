/**
 * express-validator on both sides: chains, schemas, sanitising, custom rules, one-of, and rules that throw.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface Chain extends Handler {
  isEmail(): Chain;
  isInt(options?: object): Chain;
  isLength(options: object): Chain;
  normalizeEmail(): Chain;
  trim(): Chain;
  escape(): Chain;
  toInt(): Chain;
  optional(): Chain;
  bail(): Chain;
  exists(): Chain;
  custom(rule: (value: unknown, meta: { req: Request }) => unknown): Chain;
  withMessage(message: string): Chain;
}
interface Validator {
  body(fields?: string | string[], message?: string): Chain;
  query(fields: string): Chain;
  param(fields: string): Chain;
  header(fields: string): Chain;
  cookie(fields: string): Chain;
  checkSchema(schema: object): Handler[];
  oneOf(chains: readonly Chain[], options?: object): Handler;
  matchedData(req: Request, options?: object): unknown;
  validationResult(req: Request): { isEmpty(): boolean; array(): unknown[]; mapped(): unknown; throw(): void };
}
const { body, query, param, header, cookie, checkSchema, oneOf, matchedData, validationResult } = load<Validator>('express-validator');
const cookieParser = load<() => Handler>('cookie-parser');

const report: Handler = (req, res) => {
  const result = validationResult(req);
  res.status(result.isEmpty() ? 200 : 422).json({ errors: result.array(), mapped: result.mapped(), data: matchedData(req) });
};

function validated({ express }: Bench): Application {
  const app = express();
  app.use(express.json(), cookieParser());
  app.post(
    '/user/:id',
    param('id').isInt({ min: 1 }).toInt(),
    query('page').optional().isInt().toInt(),
    header('x-token').exists().withMessage('token is missing'),
    cookie('lang').optional().isLength({ max: 2 }),
    body('email', 'not an e-mail address').isEmail().normalizeEmail(),
    body('name').trim().escape().isLength({ min: 2, max: 60 }).bail(),
    body('tags.*.label').isLength({ min: 1 }),
    body('password').custom((value, { req }) => {
      if (value !== req.body['again']) throw new Error('passwords differ');
      return true;
    }),
    report,
  );
  app.post(
    '/schema',
    checkSchema({
      age: { in: ['body'], isInt: { options: { min: 18 }, errorMessage: 'too young' }, toInt: true },
      'nested.value': { exists: true },
    }),
    report,
  );
  app.post('/one', oneOf([body('a').exists(), body('b').exists()], { message: 'a or b' }), report);
  app.post(
    '/async',
    body('slow').custom(async (value) => (value === 'ok' ? true : Promise.reject(new Error('refused slowly')))),
    report,
  );
  app.post('/throw', body('x').isInt(), (req, res) => {
    validationResult(req).throw();
    res.send('valid');
  });
  app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(400).json({ name: error.name, message: error.message }));
  return app;
}

same('accepts and cleans what is valid', {
  build: validated,
  talk: async ({ client }) => {
    const user = {
      email: 'Ada.Hale@Example.COM',
      name: '  <b>Ada</b>  ',
      tags: [{ label: 'x' }, { label: 'y' }],
      password: 'p',
      again: 'p',
      extra: 1,
    };
    await client.json('/user/7?page=3', user, { 'X-Token': 't', Cookie: 'lang=en' });
    await client.json('/schema', { age: '20', nested: { value: 0 } });
    await client.json('/one', { b: 1 });
    await client.json('/async', { slow: 'ok' });
    await client.json('/throw', { x: 1 });
  },
  check: ([first]) => assert.equal(first?.line, '200 OK', first?.content ?? ''),
});

same('reports everything that is not', {
  build: validated,
  talk: async ({ client }) => {
    await client.json(
      '/user/zero?page=x',
      { email: 'no', name: 'a', tags: [{ label: '' }], password: 'p', again: 'q' },
      { Cookie: 'lang=english' },
    );
    await client.json('/schema', { age: 3 });
    await client.json('/one', {});
    await client.json('/async', { slow: 'no' });
    await client.json('/throw', { x: 'y' });
    await client.post('/user/1', '');
  },
  check: ([first]) => assert.equal(first?.line, '422 Unprocessable Entity'),
});

same('never reaches the rules when the content is broken', {
  build: validated,
  talk: async ({ client }) => void (await client.post('/schema', '{"age":', { 'Content-Type': 'application/json' })),
  check: ([reply]) => assert.match(reply?.content ?? '', /SyntaxError/),
});
