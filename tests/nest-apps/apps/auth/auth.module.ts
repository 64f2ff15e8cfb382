import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { JwtGuard, RolesGuard } from './guards';
import { PlainController } from './plain.controller';
import { JwtStrategy, LocalStrategy } from './strategies';
import { UsersService } from './users.service';

@Module({
  imports: [
    PassportModule.register({ defaultStrategy: 'jwt', session: false }),
    JwtModule.registerAsync({
      global: true,
      useFactory: async () => Promise.resolve({ secret: 'of the tests', signOptions: { expiresIn: '60s' } }),
    }),
  ],
  controllers: [AuthController, PlainController],
  providers: [
    AuthService,
    UsersService,
    LocalStrategy,
    JwtStrategy,
    { provide: APP_GUARD, useClass: JwtGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ],
})
export class AuthApplication {}
