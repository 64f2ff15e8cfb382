/**
 * The types that are measured, and values of them. Types alone are read by two compilers, ours and typia's;
 * what reads schemas has the same in `others.mjs`.
 */

export interface Light {
  id: number;
  name: string;
  surname: string;
  active: boolean;
  lastUpdate: string;
}

export interface Dated {
  id: number;
  name: string;
  surname: string;
  lastUpdate: Date;
}

export interface Card {
  kind: 'card';
  number: string;
  expires: string;
}

export interface Transfer {
  kind: 'transfer';
  iban: string;
  bank?: string;
}

export interface Invoice {
  kind: 'invoice';
  days: number;
  address: { street: string; city: string; zip: string; country: string };
}

export interface Heavy extends Light {
  email: string;
  tags: string[];
  payment: Card | Transfer | Invoice;
  orders: { id: number; total: number; isPaid: boolean; payment: Card | Transfer | Invoice }[];
}

export interface Item {
  id: number;
  name: string;
  score: number;
  active: boolean;
}

export interface Tree {
  value: number;
  name: string;
  children: Tree[];
}
