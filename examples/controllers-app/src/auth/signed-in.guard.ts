/** Nobody comes in without a token, but where `@Public()` stands. Puts who it is into the request. */
import { type CanActivate, type ExecutionContext, Injectable, Reflector, UnauthorizedException } from 'fulmar/controllers';
import { type Caller, Public } from '../common/access.ts';
import { UsersService } from '../users/users.service.ts';
import { Tokens } from './tokens.ts';

interface Asking {
  readonly headers: { readonly authorization?: string };
  readonly res: { setHeader(name: string, value: string): void };
  user?: Caller;
}

@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: Tokens,
    private readonly users: UsersService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()]) === true) return true;
    const request = context.switchToHttp().getRequest<Asking>();
    const [, token = ''] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const id = this.tokens.read(token);
    // Of now: who was removed, or has another role since, is that at once.
    const user = id === null ? null : await this.users.find(id);
    if (user === null) {
      context.switchToHttp().getResponse<Asking['res']>().setHeader('WWW-Authenticate', 'Bearer');
      throw new UnauthorizedException('Sign in first');
    }
    request.user = { id: user.id, role: user.role };
    return true;
  }
}
