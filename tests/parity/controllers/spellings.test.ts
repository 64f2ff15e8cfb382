/**
 * Which requests middleware and routes take: other spellings of paths, prefixes with exceptions, versions in paths. Where
 * the two differ, somebody gets past a middleware that asks who he is.
 */
import { defineControllers, type Side, type Told } from './suite.ts';

/** Middleware that notes what it sees. */
const noted = (told: Told, name: string) => (req: { originalUrl: string }, _res: unknown, next: () => void) => {
  told.note(name, req.originalUrl);
  next();
};

/** `@All()` behind routes of one method, `/` behind a parameter, wildcards that are not at the end. */
function ofOrder(n: Side): unknown {
  @n.Controller('order')
  class Order {
    @n.Get('own')
    own() {
      return 'own';
    }
    @n.Get('own/{*rest}')
    below() {
      return 'below';
    }
    @n.All(':any')
    any() {
      return 'any';
    }
  }
  @n.Controller()
  class Root {
    @n.Get(':name')
    one() {
      return 'one';
    }
    @n.Get()
    root() {
      return 'root';
    }
    @n.All('*rest/:last')
    rest() {
      return 'rest';
    }
    @n.All('{*group}/end/of')
    group() {
      return 'group';
    }
  }
  @n.Module({ controllers: [Order, Root] })
  class AppModule {}
  return AppModule;
}

function ofGuarded(n: Side, told: Told): unknown {
  @n.Controller('admin')
  class Admin {
    @n.Get('secret')
    secret() {
      return 'secret';
    }
    @n.Get(':id/of')
    of(@n.Param('id') id: string) {
      return { id };
    }
  }
  @n.Module({ controllers: [Admin] })
  class AppModule {
    configure(consumer: import('@nestjs/common').MiddlewareConsumer): void {
      consumer.apply(noted(told, 'controller')).forRoutes(Admin);
      consumer.apply(noted(told, 'path')).forRoutes('admin');
      consumer.apply(noted(told, 'route')).forRoutes({ path: 'admin/secret', method: n.RequestMethod.ALL });
    }
  }
  return AppModule;
}

function ofPrefix(n: Side, told: Told, paths: readonly string[]): unknown {
  @n.Controller('health')
  class Health {
    @n.Get()
    all() {
      return 'all';
    }
    @n.Get('deep')
    deep() {
      return 'deep';
    }
    @n.Post()
    set() {
      return 'set';
    }
  }
  @n.Module({ controllers: [Health] })
  class AppModule {
    configure(consumer: import('@nestjs/common').MiddlewareConsumer): void {
      consumer.apply(noted(told, 'everywhere')).forRoutes('*');
      if (paths.length > 0) consumer.apply(noted(told, 'path')).forRoutes(...paths);
      consumer.apply(noted(told, 'route')).forRoutes({ path: 'health', method: n.RequestMethod.GET });
    }
  }
  return AppModule;
}

const OF_PREFIX = ['/health', '/api/health', '/api/health/deep', '/health/deep', { method: 'POST', path: '/health' }];

defineControllers([
  {
    name: 'escaped letters of a path are another path',
    app: ofGuarded,
    requests: [
      '/admin/secret',
      '/%61dmin/secret',
      '/admin/s%65cret',
      '/ADMIN/secret/',
      '/admin/a%20b/of',
      '/admin/%61/of',
      '/adm%69n/a/of',
      '/admin/a/%6ff',
    ],
  },
  {
    name: 'the first route that takes a path is asked, however it is spelled',
    app: ofOrder,
    requests: [
      '/order/own',
      '/order/OWN',
      '/order/own/',
      '/order/own/x',
      '/order/%6fwn',
      { method: 'POST', path: '/order/OWN' },
      { method: 'HEAD', path: '/order/OWN' },
      '/',
      '/a',
      '/a/b',
      '/a/b/c',
      '/x/end/of',
      '/end/of',
      '//end/of',
    ],
  },
  {
    name: 'middleware stands before routes that an exception takes out of a prefix',
    app: (n, told) => ofPrefix(n, told, ['health']),
    setup: (app) => void app.setGlobalPrefix('api', { exclude: ['health'] }),
    requests: OF_PREFIX,
  },
  {
    name: 'middleware stands before routes whose method an exception names',
    // With a path Nest runs it twice for one request.
    app: (n, told) => ofPrefix(n, told, []),
    setup: (app, n) => void app.setGlobalPrefix('api', { exclude: [{ path: 'health', method: n.RequestMethod.GET }] }),
    requests: [...OF_PREFIX, { method: 'POST', path: '/api/health' }],
  },
  {
    name: 'middleware stands before routes of the version that is there without any',
    app: (n, told) => ofPrefix(n, told, ['health']),
    setup: (app, n) => {
      app.setGlobalPrefix('api', { exclude: ['health/deep'] });
      app.enableVersioning({ type: n.VersioningType.URI, defaultVersion: '1' });
    },
    requests: ['/api/v1/health', '/v1/health/deep', '/api/health', { method: 'POST', path: '/api/v1/health' }],
  },
]);
