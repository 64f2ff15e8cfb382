/**
 * `ClassSerializerInterceptor`: what of a handler's value leaves.
 */
import 'reflect-metadata';
import { Exclude, Expose, Transform } from 'class-transformer';
import { defineControllers, type Side } from './suite.ts';

class Role {
  @Expose({ groups: ['admin'] })
  secret = 'inner';
  name: string;
  constructor(name: string) {
    this.name = name;
  }
}
class User {
  id = 1;
  @Exclude()
  password = 'hidden';
  @Expose({ groups: ['admin'] })
  level = 9;
  @Transform(({ value }) => (value as Role).name)
  role = new Role('cook');
  roles = [new Role('a')];
  @Expose()
  get label(): string {
    return `user ${this.id}`;
  }
}

function ofUsers(n: Side, ofAll?: object) {
  @n.Controller()
  @n.SerializeOptions({ groups: ['plain'] })
  class Users {
    @n.Get('one')
    one() {
      return new User();
    }
    @n.Get('list')
    list() {
      return [new User(), null, 1, 'x', { password: 'plain objects are not of the class' }];
    }
    @n.Get('admin')
    @n.SerializeOptions({ groups: ['admin'] })
    admin() {
      return Promise.resolve(new User());
    }
    @n.Get('typed')
    @n.SerializeOptions({ type: User })
    typed() {
      return { id: 5, password: 'p', level: 3, role: { name: 'r' } };
    }
    @n.Get('exposed')
    @n.SerializeOptions({ strategy: 'excludeAll' })
    exposed() {
      return new User();
    }
    @n.Get('text')
    text() {
      return 'text';
    }
    @n.Get('file')
    file() {
      return new n.StreamableFile(Buffer.from('bytes'));
    }
    @n.Get('nothing')
    nothing() {
      return null;
    }
  }
  class App {}
  const given = (reflector: any): unknown => new n.ClassSerializerInterceptor(reflector, ofAll);
  const provider = ofAll === undefined ? { useClass: n.ClassSerializerInterceptor } : { useFactory: given, inject: [n.Reflector] };
  n.Module({ controllers: [Users], providers: [{ provide: n.APP_INTERCEPTOR, ...provider } as never] })(App);
  return App;
}

const PATHS = ['one', 'list', 'admin', 'typed', 'exposed', 'text', 'file', 'nothing'].map((path) => `/${path}`);

defineControllers([
  { name: 'classes say what of them leaves', app: (n) => ofUsers(n), requests: PATHS },
  {
    name: 'options of all are those of none that says its own',
    app: (n) => ofUsers(n, { excludePrefixes: ['l'], groups: ['admin'] }),
    requests: PATHS,
  },
]);
