// The two bodies of `updateUser` a month later as types: fulmar-compiler makes the checks, the dates and the JSON of
// them. Nothing here touches a request or a reply.

export interface User {
  id: number;
  name: string;
  surname: string;
  lastUpdate: Date;
}

type Contact =
  | { kind: 'email'; address: string }
  | { kind: 'phone'; country: number; number: string }
  | { kind: 'post'; street: string; city: string; zip: string; country: string };

type Payment =
  | { kind: 'card'; number: string; expires: string }
  | { kind: 'transfer'; iban: string; bank: string }
  | { kind: 'invoice'; days: number };

// Not an extension of `User`: its members would stand behind these.
export interface UserWithOrders {
  id: number;
  name: string;
  surname: string;
  lastUpdate: Date;
  contact: Contact;
  orders: { id: number; total: number; placedAt: Date; payment: Payment }[];
}

/** The user a month later. */
export function addMonth<Some extends User>(user: Some): Some {
  user.lastUpdate.setUTCMonth(user.lastUpdate.getUTCMonth() + 1);
  return user;
}
