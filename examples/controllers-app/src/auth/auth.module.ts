/** Who somebody is and what they may: guards of all routes. Exports nothing: modules say what they ask for by `common/access`. */
import { APP_GUARD, Module } from 'fulmar/controllers';
import { UsersModule } from '../users/users.module.ts';
import { AuthController } from './auth.controller.ts';
import { AuthService } from './auth.service.ts';
import { Passwords } from './passwords.ts';
import { RolesGuard } from './roles.guard.ts';
import { SignedInGuard } from './signed-in.guard.ts';
import { Tokens } from './tokens.ts';

@Module({
  imports: [UsersModule],
  controllers: [AuthController],
  providers: [
    AuthService,
    Passwords,
    Tokens,
    // In this order.
    { provide: APP_GUARD, useClass: SignedInGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ],
})
export class AuthModule {}
