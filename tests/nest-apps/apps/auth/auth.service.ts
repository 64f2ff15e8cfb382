import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type SignedIn, UsersService } from './users.service';

@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly jwt: JwtService,
  ) {}

  validate(name: string, password: string): SignedIn | null {
    const user = this.users.find(name);
    return user?.password === password ? { name, roles: user.roles } : null;
  }

  async login({ name, roles }: SignedIn): Promise<object> {
    return { token: await this.jwt.signAsync({ sub: name, roles }) };
  }
}
