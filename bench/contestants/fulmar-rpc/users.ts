// The two bodies of `updateUser` as types: fulmar-compiler makes the checks, the dates and the JSON of them.
import type { Email, Int, MaxLength, Min, MinLength } from 'fulmar/types';

type Text = string & MinLength<1> & MaxLength<100>;

export interface LightUser {
  id: Int & Min<1>;
  name: Text;
  email: Email;
  birthday: Date;
  active: boolean;
}

export interface HeavyUser extends LightUser {
  address: { street: Text; city: Text; zip: Text; country: Text };
  tags: Text[] & MinLength<10> & MaxLength<10>;
  orders: { id: Int; total: number; placedAt: Date }[] & MinLength<8> & MaxLength<8>;
}

// In the order in which all contestants write them: members of an interface that extends another stand before its.
export interface DescribedLight {
  id: Int & Min<1>;
  name: Text;
  email: Email;
  birthday: Date;
  active: boolean;
  birthYear: Int;
}

export interface DescribedHeavy {
  id: Int & Min<1>;
  name: Text;
  email: Email;
  birthday: Date;
  active: boolean;
  address: HeavyUser['address'];
  tags: HeavyUser['tags'];
  orders: HeavyUser['orders'];
  birthYear: Int;
  lastOrderYear: Int;
}

export const describeLight = (user: LightUser): DescribedLight => ({ ...user, birthYear: user.birthday.getUTCFullYear() });

export const describeHeavy = (user: HeavyUser): DescribedHeavy => ({
  ...user,
  birthYear: user.birthday.getUTCFullYear(),
  lastOrderYear: Math.max(...user.orders.map((order) => order.placedAt.getUTCFullYear())),
});
