import { Controller, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { AuthService } from './auth.service';
import { Public, Roles } from './decorators';
import type { SignedIn } from './users.service';

@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Public()
  @UseGuards(AuthGuard('local'))
  @HttpCode(200)
  @Post('login')
  login(@Req() request: { user: SignedIn }): Promise<object> {
    return this.auth.login(request.user);
  }

  @Get('profile')
  profile(@Req() request: { user: SignedIn }): SignedIn {
    return request.user;
  }

  @Roles('admin')
  @Get('admin')
  admin(): string {
    return 'for admins';
  }

  @Public()
  @Get('public')
  open(): string {
    return 'for all';
  }
}
