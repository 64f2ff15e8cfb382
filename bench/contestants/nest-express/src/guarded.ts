// What most routes of real applications have around them: a guard that reads a role from the handler's metadata, a
// DTO behind the `ValidationPipe`, an interceptor that wraps the reply. It keeps nothing.
import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  Module,
  type NestInterceptor,
  Post,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { IsInt, IsString, Min, MinLength } from 'class-validator';
import { map } from 'rxjs';

const Roles = Reflector.createDecorator<string[]>();
const users = new Map([['secret', { name: 'ada', role: 'editor' }]]);

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext) {
    const roles = this.reflector.getAllAndOverride(Roles, [context.getHandler(), context.getClass()]);
    const [scheme, token = ''] = (context.switchToHttp().getRequest().headers.authorization ?? '').split(' ');
    const user = scheme === 'Bearer' ? users.get(token) : undefined;
    return user !== undefined && roles.includes(user.role);
  }
}

@Injectable()
class WrappingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((data) => ({ data })));
  }
}

class CatDto {
  @IsString()
  @MinLength(1)
  name!: string;

  @IsInt()
  @Min(0)
  age!: number;
}

@Controller('cats')
@UseGuards(RolesGuard)
@UseInterceptors(WrappingInterceptor)
class CatsController {
  @Post()
  @Roles(['editor'])
  create(@Body() { name, age }: CatDto) {
    return { name, age };
  }
}

@Module({ controllers: [CatsController] })
class CatsModule {}

export const module = CatsModule;

export function configure(app: INestApplication) {
  app.useGlobalPipes(new ValidationPipe());
}
