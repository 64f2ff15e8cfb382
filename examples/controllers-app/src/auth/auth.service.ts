/** Signing up and in, and the account of the settings. */
import { Injectable, Logger, type OnApplicationBootstrap, UnauthorizedException } from 'fulmar/controllers';
import { Settings } from '../settings/settings.ts';
import type { User } from '../users/user.ts';
import { UsersService } from '../users/users.service.ts';
import { Passwords } from './passwords.ts';
import { Tokens } from './tokens.ts';

export interface Signed {
  readonly token: string;
  readonly user: User;
}

@Injectable()
export class AuthService implements OnApplicationBootstrap {
  readonly #log = new Logger('Auth');

  constructor(
    private readonly settings: Settings,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly tokens: Tokens,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { admin } = this.settings;
    if (admin === null || (await this.users.findByEmail(admin.email)) !== null) return;
    const password = await this.passwords.seal(admin.password);
    try {
      await this.users.add({ email: admin.email, name: 'Admin', role: 'admin', password });
      this.#log.log(`${admin.email} is an admin.`);
    } catch (error) {
      // Another process that starts at the same time was faster.
      if ((await this.users.findByEmail(admin.email)) === null) throw error;
    }
  }

  async signUp({ email, name, password }: { email: string; name: string; password: string }): Promise<Signed> {
    // Nobody looks first: two at the same time would both find nothing. The unique index decides.
    const user = await this.users.add({ email, name, role: 'member', password: await this.passwords.seal(password) });
    return this.#signed(user);
  }

  /** @throws UnauthorizedException that does not say which of the two is wrong */
  async signIn(email: string, password: string): Promise<Signed> {
    const user = await this.users.findByEmail(email);
    const fits = await this.passwords.fits(password, user?.password ?? null);
    if (user === null || !fits) throw new UnauthorizedException('Address or password is wrong');
    return this.#signed(user);
  }

  #signed(user: User): Signed {
    return { token: this.tokens.issue(user.id), user };
  }
}
