/** Accounts, as other modules have them: these see this service, and neither the repository nor the table. */
import { ConflictException, Injectable, NotFoundException } from 'fulmar/controllers';
import type { Role } from '../common/access.ts';
import { FeedService } from '../feed/feed.service.ts';
import type { NewUser, User } from './user.ts';
import { UsersRepository } from './users.repository.ts';

type Farewell = (id: number) => Promise<void>;

@Injectable()
export class UsersService {
  readonly #farewells: Farewell[] = [];

  constructor(
    private readonly users: UsersRepository,
    private readonly feed: FeedService,
  ) {}

  async add(given: NewUser): Promise<User> {
    const user = await this.users.add(given);
    this.feed.tell('user-joined', { id: user.id, name: user.name });
    return user;
  }

  find(id: number): Promise<User | null> {
    return this.users.find(id);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users.findByEmail(email);
  }

  list(after: number, count: number): Promise<User[]> {
    return this.users.list(after, count);
  }

  /** @throws NotFoundException */
  async one(id: number): Promise<User> {
    return known(await this.users.find(id));
  }

  /** @throws NotFoundException */
  async update(id: number, changes: { readonly name?: string; readonly role?: Role }): Promise<User> {
    return known(await this.users.update(id, changes));
  }

  /** Modules that keep something of an account say how it goes, and this one need not know them. */
  beforeRemoval(farewell: Farewell): void {
    this.#farewells.push(farewell);
  }

  /** @throws NotFoundException; ConflictException for one's own: somebody has to be left */
  async remove(id: number, by: number): Promise<void> {
    if (id === by) throw new ConflictException('Nobody can remove their own account');
    await this.one(id);
    for (const farewell of this.#farewells) await farewell(id);
    if (await this.users.remove(id)) this.feed.tell('user-left', { id });
  }
}

function known(user: User | null): User {
  if (user === null) throw new NotFoundException('There is no such account');
  return user;
}
