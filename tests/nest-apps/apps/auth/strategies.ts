import { Injectable, UnauthorizedException } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy as FromToken } from 'passport-jwt';
import { Strategy as ByPassword } from 'passport-local';
import { AuthService } from './auth.service';
import type { SignedIn } from './users.service';

@Injectable()
export class LocalStrategy extends PassportStrategy(ByPassword) {
  constructor(private readonly auth: AuthService) {
    super({ usernameField: 'name' });
  }

  validate(name: string, password: string): SignedIn {
    const user = this.auth.validate(name, password);
    if (user === null) throw new UnauthorizedException('Who are you?');
    return user;
  }
}

@Injectable()
export class JwtStrategy extends PassportStrategy(FromToken) {
  constructor() {
    super({ jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), ignoreExpiration: false, secretOrKey: 'of the tests' });
  }

  validate({ sub, roles }: { sub: string; roles: string[] }): SignedIn {
    return { name: sub, roles };
  }
}
