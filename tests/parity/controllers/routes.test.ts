/**
 * Routes, their parameters and what becomes of what they return.
 */
import { of } from 'rxjs';
import { defineControllers } from './suite.ts';

defineControllers([
  {
    name: 'values of handlers become the same replies',
    app: (n) => {
      @n.Controller('values')
      class Values {
        @n.Get('text')
        text() {
          return 'Grüße';
        }
        @n.Get('empty')
        empty() {
          return '';
        }
        @n.Get('object')
        object() {
          return { a: 1, b: [null, 'x'] };
        }
        @n.Get('list')
        list() {
          return [];
        }
        @n.Get('number')
        number() {
          return 42;
        }
        @n.Get('zero')
        zero() {
          return 0;
        }
        @n.Get('boolean')
        boolean() {
          return false;
        }
        @n.Get('nothing')
        nothing() {
          return undefined;
        }
        @n.Get('null')
        null() {
          return null;
        }
        @n.Get('later')
        async later() {
          return { later: true };
        }
        @n.Get('bytes')
        bytes() {
          return Buffer.from('ab');
        }
        @n.Get('date')
        date() {
          return new Date(0);
        }
        @n.Post()
        post() {
          return { made: true };
        }
        @n.Put()
        put() {
          return 'put';
        }
        @n.Delete()
        @n.HttpCode(204)
        delete() {
          return;
        }
        @n.Patch()
        @n.HttpCode(202)
        patch() {
          return { a: 1 };
        }
      }
      @n.Module({ controllers: [Values] })
      class App {}
      return App;
    },
    requests: [
      ...['text', 'empty', 'object', 'list', 'number', 'zero', 'boolean', 'nothing', 'null', 'later', 'bytes', 'date'].map(
        (path) => `/values/${path}`,
      ),
      { method: 'HEAD', path: '/values/text' },
      { method: 'HEAD', path: '/values/nothing' },
      { method: 'POST', path: '/values' },
      { method: 'PUT', path: '/values' },
      { method: 'DELETE', path: '/values' },
      { method: 'PATCH', path: '/values' },
      { method: 'OPTIONS', path: '/values' },
      { method: 'GET', path: '/values' },
      '/nothing?x=1',
      '/VALUES/Text',
      '/values/text/',
      { path: '/values/object', headers: { 'if-none-match': 'W/"18-ooqYkODmBjSHEWdB7ZCmSTGuHKM"' } },
      { path: '/values/text', headers: { 'if-none-match': '*' } },
    ],
  },
  {
    name: 'parameters are given what they name',
    app: (n) => {
      @n.Controller('p')
      class Params {
        @n.Get('one/:a/:b')
        one(@n.Param('a') a: string, @n.Param() all: object, @n.Query('q') q: string, @n.Query() query: object) {
          return { a, all, q, query };
        }
        @n.Get('headers')
        headers(@n.Headers('X-Own') own: string, @n.Headers() all: Record<string, string>, @n.Ip() ip: string) {
          return { own, host: typeof all['host'], agent: all['user-agent'], ip };
        }
        @n.Post('body')
        body(@n.Body('name') name: string, @n.Body() all: unknown) {
          return { name, all };
        }
        @n.Post('swapped')
        swapped(@n.Body() all: unknown, plain: unknown, @n.Query('a') a: string) {
          return { all, plain: plain ?? null, a };
        }
        @n.Get('files/*path')
        files(@n.Param('path') path: string[]) {
          return { path };
        }
        @n.Get('opt{/:x}')
        optional(@n.Param('x') x: string) {
          return { x: x ?? null };
        }
        @n.Get('range/:from-:to')
        range(@n.Param() all: object) {
          return all;
        }
      }
      @n.Module({ controllers: [Params] })
      class App {}
      return App;
    },
    requests: [
      '/p/one/1/zwei?q=3&q=4&r=%20',
      '/p/one/%E4%B8%AD/x%2Fy',
      '/p/one/%FF/x',
      { path: '/p/headers', headers: { 'X-Own': 'mine', 'user-agent': 'test' } },
      { method: 'POST', path: '/p/body', body: { name: 'Ada', list: [1] } },
      { method: 'POST', path: '/p/body', body: [1, 2] },
      { method: 'POST', path: '/p/body' },
      { method: 'POST', path: '/p/body', body: '', headers: { 'content-type': 'application/json' } },
      { method: 'POST', path: '/p/body', body: '"text"', headers: { 'content-type': 'application/json' } },
      { method: 'POST', path: '/p/body', body: '{"a":', headers: { 'content-type': 'application/json' } },
      {
        method: 'POST',
        path: '/p/body',
        body: 'name=A+B&list[]=1&o[x]=2',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      { method: 'POST', path: '/p/body', body: 'plain', headers: { 'content-type': 'text/plain' } },
      { method: 'POST', path: '/p/body', body: { name: 'x'.repeat(102_400) } },
      { method: 'POST', path: '/p/swapped?a=1', body: { b: 1 } },
      '/p/files/a/b/c',
      '/p/files',
      '/p/files/',
      '/p/opt',
      '/p/opt/1',
      '/p/range/1-2',
      '/p/range/12',
    ],
  },
  {
    name: 'the first route that fits answers, as it was declared',
    app: (n) => {
      @n.Controller('cats')
      class Cats {
        @n.Get('static')
        first() {
          return 'static';
        }
        @n.Get(':id')
        second(@n.Param('id') id: string) {
          return `id ${id}`;
        }
        @n.Get('late')
        third() {
          return 'late';
        }
        @n.Get(':a/b')
        across(@n.Param('a') a: string) {
          return `across ${a}`;
        }
        @n.Get('x/:c')
        other(@n.Param('c') c: string) {
          return `other ${c}`;
        }
        @n.All('any/:m')
        any() {
          return 'any';
        }
        @n.Post('any/own')
        never() {
          return 'never';
        }
      }
      @n.Controller()
      class Rest {
        @n.Get()
        root() {
          return 'root';
        }
        @n.Get(['one', 'two'])
        several() {
          return 'several';
        }
        @n.Get('*rest')
        rest(@n.Param('rest') rest: string[]) {
          return rest;
        }
      }
      @n.Module({ controllers: [Cats, Rest] })
      class App {}
      return App;
    },
    requests: [
      '/cats/static',
      '/cats/STATIC',
      '/cats/5',
      '/cats/ABC',
      '/cats/late',
      '/cats/x/b',
      '/cats/x/y',
      '/cats/any/own',
      { method: 'POST', path: '/cats/any/own' },
      { method: 'DELETE', path: '/cats/any/own' },
      '/',
      '/one',
      '/two',
      '/TWO/',
      '/a/b',
      { method: 'POST', path: '/a/b' },
    ],
  },
  {
    name: 'fields, redirects and replies by res',
    app: (n) => {
      @n.Controller('r')
      class Replies {
        @n.Get('fields')
        @n.Header('Cache-Control', 'none')
        @n.Header('X-A', 'b')
        fields() {
          return { a: 1 };
        }
        @n.Get('typed')
        @n.Header('Content-Type', 'text/plain')
        typed() {
          return 'plain';
        }
        @n.Get('typed-error')
        @n.Header('Content-Type', 'text/html')
        typedError() {
          throw new n.NotFoundException();
        }
        @n.Get('length')
        @n.Header('Content-Length', '1')
        @n.Header('X-Powered-By', 'us')
        length() {
          return 'a';
        }
        @n.Get('closing')
        @n.Header('Connection', 'close')
        closing() {
          return 'last';
        }
        @n.Get('redirect')
        @n.Redirect('https://example.com', 301)
        redirect() {
          return;
        }
        @n.Get('redirect-else')
        @n.Redirect('https://example.com')
        redirectElse() {
          return { url: '/else', statusCode: 307 };
        }
        @n.Get('redirect-res')
        @n.Redirect('https://example.com')
        redirectRes(@n.Res() res: any) {
          res.cookie('a', 'b');
          return { url: '/by-res' };
        }
        @n.Sse('events-res')
        eventsRes(@n.Res() res: any) {
          res.set('X-Own', '1');
          return of({ data: 'a' });
        }
        @n.Get('res')
        res(@n.Res() res: any) {
          res.status(418).set('X-Own', '1').json({ by: 'res' });
        }
        @n.Get('passthrough')
        passthrough(@n.Res({ passthrough: true }) res: any, @n.Req() req: any) {
          res.set('X-Prototype', String(Object.getPrototypeOf(req.params)));
          res.cookie('a', 'b');
          res.status(203);
          return { url: req.originalUrl, query: req.query, params: req.params, route: req.route.path };
        }
        @n.Get('next')
        next(@n.Next() next: any) {
          next();
        }
        @n.Get('next-error')
        nextError(@n.Next() next: any) {
          next(new n.ConflictException('no'));
        }
        @n.Get('file')
        file() {
          return new n.StreamableFile(Buffer.from('bytes'), { type: 'text/plain', disposition: 'attachment; filename="a.txt"' });
        }
      }
      @n.Module({ controllers: [Replies] })
      class App {}
      return App;
    },
    requests: [
      '/r/fields',
      '/r/typed',
      '/r/typed-error',
      '/r/length',
      '/r/closing',
      '/r/redirect',
      '/r/redirect-else',
      '/r/redirect-res',
      '/r/events-res',
      '/r/res',
      '/r/passthrough?a=1&b=x',
      '/r/next',
      '/r/next-error',
      '/r/file',
    ],
  },
]);
