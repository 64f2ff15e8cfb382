// `updateUser`: Deepkit validates the content, revives its dates and serialises the reply by these types.
// Nothing is kept. By itself Deepkit takes any text for a date, so that dates carry a validator of their own.
// What it can convert it converts (1.5 to the integer 1): its HTTP parser has no strict mode.
/* oxlint-disable typescript/no-duplicate-type-constituents -- to TypeScript two validators are one type, to Deepkit they are not */
import { HttpBody, HttpRouterRegistry } from '@deepkit/http';
import { Email, integer, MaxLength, Minimum, MinLength, Validate, ValidatorError } from '@deepkit/type';

function isDate(value: Date) {
  return Number.isNaN(value.getTime()) ? new ValidatorError('date', 'Not a date') : undefined;
}

type DateTime = Date & Validate<typeof isDate>;
type Text = string & MinLength<1> & MaxLength<100>;

interface User {
  id: integer & Minimum<1>;
  name: Text;
  email: Email;
  birthday: DateTime;
  active: boolean;
}

interface Address {
  street: Text;
  city: Text;
  zip: Text;
  country: Text;
}

interface Order {
  id: integer;
  total: number;
  placedAt: DateTime;
}

interface UserWithOrders extends User {
  address: Address;
  tags: Text[] & MinLength<10> & MaxLength<10>;
  orders: Order[] & MinLength<8> & MaxLength<8>;
}

interface Described extends User {
  birthYear: number;
}

interface DescribedWithOrders extends UserWithOrders {
  birthYear: number;
  lastOrderYear: number;
}

export function light(router: HttpRouterRegistry) {
  router.post('/updateUser', (user: HttpBody<User>): Described => ({ ...user, birthYear: user.birthday.getUTCFullYear() }));
}

export function heavy(router: HttpRouterRegistry) {
  router.post('/updateUser', (user: HttpBody<UserWithOrders>): DescribedWithOrders => {
    const lastOrderYear = Math.max(...user.orders.map(({ placedAt }) => placedAt.getUTCFullYear()));
    return { ...user, birthYear: user.birthday.getUTCFullYear(), lastOrderYear };
  });
}
