import { CanActivate, Controller, Delete, ExecutionContext, Get, HttpCode, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';

const Needs = (right: string): MethodDecorator & ClassDecorator => SetMetadata('needs', right);

@Injectable()
class RightsGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const needed = this.reflector.get<string>('needs', context.getHandler());
    return context.switchToHttp().getRequest<Request>().header('x-rights')?.split(',').includes(needed) ?? false;
  }
}

@UseGuards(RightsGuard)
@Controller('tools')
export class AdminController {
  @Needs('read')
  @Get()
  read(): string {
    return 'tools';
  }

  @Needs('write')
  @Delete()
  @HttpCode(204)
  remove(): void {}
}
