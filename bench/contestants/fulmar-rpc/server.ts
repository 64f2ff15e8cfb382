// RPC of Fulmar in the style of docs/guide/rpc.md: one procedure, whose types say what is valid, set up for the
// scenario that the harness names in `SCENARIO`. It never logs.
import { mutation, rpc } from 'fulmar/rpc';
import { addMonth, type User, type UserWithOrders } from './months.ts';
import { describeHeavy, describeLight, type DescribedHeavy, type DescribedLight, type HeavyUser, type LightUser } from './users.ts';

const scenarios = {
  'update-user-light': () => rpc({ updateUser: mutation((c, user: LightUser): DescribedLight => describeLight(user)) }),
  'update-user-heavy': () => rpc({ updateUser: mutation((c, user: HeavyUser): DescribedHeavy => describeHeavy(user)) }),
  'update-user-month': () => rpc({ updateUser: mutation((c, user: User): User => addMonth(user)) }),
  'update-user-union': () => rpc({ updateUser: mutation((c, user: UserWithOrders): UserWithOrders => addMonth(user)) }),
};

const scenario = (process.env['SCENARIO'] ?? 'update-user-light') as keyof typeof scenarios;
await scenarios[scenario]().listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
