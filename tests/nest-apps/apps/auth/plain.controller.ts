import { type CanActivate, Controller, type ExecutionContext, Get, Injectable, UnauthorizedException, UseGuards } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Request } from 'express';
import { Public } from './decorators';

/** Without passport, as in Nest's page on authentication. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & { token?: unknown }>();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || token === undefined) throw new UnauthorizedException();
    try {
      request.token = await this.jwt.verifyAsync(token);
    } catch {
      throw new UnauthorizedException('That is no token of ours');
    }
    return true;
  }
}

@Public()
@Controller('plain')
export class PlainController {
  @Get()
  @UseGuards(TokenGuard)
  tell(): string {
    return 'with a token';
  }
}
