/** Who somebody is and what they may: guards of all routes. Exports nothing: modules say what they ask for by `common/access`. */
import { APP_GUARD, Module, ThrottlerModule } from 'fulmar/controllers';
import { Settings } from '../settings/settings.ts';
import { UsersModule } from '../users/users.module.ts';
import { AuthController } from './auth.controller.ts';
import { AuthService } from './auth.service.ts';
import { Passwords } from './passwords.ts';
import { RolesGuard } from './roles.guard.ts';
import { SignedInGuard } from './signed-in.guard.ts';
import { Tokens } from './tokens.ts';

const MINUTE_MS = 60_000;

@Module({
  imports: [
    UsersModule,
    ThrottlerModule.forRootAsync({
      inject: [Settings],
      useFactory: ({ attemptsMax }: Settings) => [{ limit: attemptsMax, ttl: MINUTE_MS }],
    }),
  ],
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
