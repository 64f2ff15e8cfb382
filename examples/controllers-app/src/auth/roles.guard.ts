/** Where `@Roles([…])` stands, on the method or on its class, the caller has one of them. Comes behind `SignedInGuard`. */
import { type CanActivate, type ExecutionContext, Injectable, Reflector } from 'fulmar/controllers';
import { type Caller, Roles } from '../common/access.ts';

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride(Roles, [context.getHandler(), context.getClass()]);
    if (roles === undefined) return true;
    const { user } = context.switchToHttp().getRequest<{ user?: Caller }>();
    return user !== undefined && roles.includes(user.role);
  }
}
