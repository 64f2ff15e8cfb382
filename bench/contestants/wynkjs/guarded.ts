// A guard, a DTO and an interceptor around one route, as the README shows them. Metadata of methods is not seen by
// its guards, so the role is that of the class. It keeps nothing.
import {
  Body,
  type CanActivate,
  Controller,
  DTO,
  type ExecutionContext,
  HttpCode,
  Post,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from 'wynkjs';

const users = new Map([['secret', { name: 'ada', role: 'editor' }]]);

class RolesGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const roles: string[] = Reflect.getMetadata('roles', context.getClass()) ?? [];
    const request = context.getRequest<Request>();
    const [scheme, token = ''] = (request.headers.get('authorization') ?? '').split(' ');
    const user = scheme === 'Bearer' ? users.get(token) : undefined;
    return user !== undefined && roles.includes(user.role);
  }
}

class WrappingInterceptor {
  async intercept(_context: unknown, next: () => Promise<unknown>) {
    return { data: await next() };
  }
}

const CatDTO = DTO.Object({ name: DTO.String({ minLength: 1 }), age: DTO.Integer({ minimum: 0 }) });

@Controller('/cats')
@UseGuards(RolesGuard)
@UseInterceptors(WrappingInterceptor)
@SetMetadata('roles', ['editor'])
export class CatsController {
  @Post({ path: '/', body: CatDTO })
  @HttpCode(201)
  create(@Body() { name, age }: any) {
    return { name, age };
  }
}
