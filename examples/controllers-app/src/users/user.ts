/** An account, and what of it others are told. */
import { ApiProperty } from 'fulmar/controllers/openapi';
import type { Role } from '../common/access.ts';
import { Page } from '../common/page.ts';

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** As `auth` has sealed it. */
  readonly password: string;
}

export interface User extends NewUser {
  readonly id: number;
  readonly created: Date;
}

export class UserView {
  @ApiProperty()
  id: number;
  @ApiProperty()
  email: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ enum: ['member', 'admin'] })
  role: Role;
  @ApiProperty()
  created: Date;

  /** By name: a member that is added later is told to nobody by accident. */
  static of({ id, email, name, role, created }: User): UserView {
    return Object.assign(new UserView(), { id, email, name, role, created });
  }
}

export class UserPage extends Page<UserView> {
  @ApiProperty({ type: [UserView] })
  override items: UserView[];
}
