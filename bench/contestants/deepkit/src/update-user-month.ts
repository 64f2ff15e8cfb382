// `updateUser` a month later: Deepkit validates the content, revives its dates and serialises the reply by these
// types. Nothing is kept. By itself Deepkit takes any text for a date, so that dates carry a validator of their own.
import { HttpBody, HttpRouterRegistry } from '@deepkit/http';
import { Validate, ValidatorError } from '@deepkit/type';

function isDate(value: Date) {
  return Number.isNaN(value.getTime()) ? new ValidatorError('date', 'Not a date') : undefined;
}

type DateTime = Date & Validate<typeof isDate>;

interface User {
  id: number;
  name: string;
  surname: string;
  lastUpdate: DateTime;
}

type Contact =
  | { kind: 'email'; address: string }
  | { kind: 'phone'; country: number; number: string }
  | { kind: 'post'; street: string; city: string; zip: string; country: string };

type Payment =
  | { kind: 'card'; number: string; expires: string }
  | { kind: 'transfer'; iban: string; bank: string }
  | { kind: 'invoice'; days: number };

interface Order {
  id: number;
  total: number;
  placedAt: DateTime;
  payment: Payment;
}

interface UserWithOrders extends User {
  contact: Contact;
  orders: Order[];
}

function addMonth({ lastUpdate }: User) {
  lastUpdate.setUTCMonth(lastUpdate.getUTCMonth() + 1);
}

export function month(router: HttpRouterRegistry) {
  router.post('/updateUser', (user: HttpBody<User>): User => {
    addMonth(user);
    return user;
  });
}

export function union(router: HttpRouterRegistry) {
  router.post('/updateUser', (user: HttpBody<UserWithOrders>): UserWithOrders => {
    addMonth(user);
    return user;
  });
}
