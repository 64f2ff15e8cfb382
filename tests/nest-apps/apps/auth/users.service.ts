import { Injectable } from '@nestjs/common';

export interface SignedIn {
  readonly name: string;
  readonly roles: readonly string[];
}

@Injectable()
export class UsersService {
  readonly #users = new Map([
    ['ann', { password: 'of ann', roles: ['admin'] }],
    ['bob', { password: 'of bob', roles: ['reader'] }],
  ]);

  find(name: string): { readonly password: string; readonly roles: readonly string[] } | undefined {
    return this.#users.get(name);
  }
}
