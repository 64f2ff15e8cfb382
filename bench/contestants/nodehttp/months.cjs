// The two bodies of `updateUser` a month later, checked by hand: a check names the first field that is wrong and
// revives the dates in place. `server.cjs` validates with it; nothing here touches a request or a reply.
'use strict';

const ISO_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const isObject = (value) => typeof value === 'object' && value !== null;
const isText = (value) => typeof value === 'string';

/** Turns the ISO date-time at `key` into a Date; false when it is none. */
function reviveDate(object, key) {
  const text = object[key];
  if (typeof text !== 'string' || !ISO_DATE_TIME.test(text)) return false;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return false;
  object[key] = date;
  return true;
}

function checkPlain(user) {
  if (!isObject(user)) return 'an object is expected';
  if (!Number.isFinite(user.id)) return 'id';
  if (!isText(user.name)) return 'name';
  if (!isText(user.surname)) return 'surname';
  return reviveDate(user, 'lastUpdate') ? undefined : 'lastUpdate';
}

function isContact(contact) {
  if (!isObject(contact)) return false;
  if (contact.kind === 'email') return isText(contact.address);
  if (contact.kind === 'phone') return Number.isFinite(contact.country) && isText(contact.number);
  if (contact.kind !== 'post') return false;
  return isText(contact.street) && isText(contact.city) && isText(contact.zip) && isText(contact.country);
}

function isPayment(payment) {
  if (!isObject(payment)) return false;
  if (payment.kind === 'card') return isText(payment.number) && isText(payment.expires);
  if (payment.kind === 'transfer') return isText(payment.iban) && isText(payment.bank);
  return payment.kind === 'invoice' && Number.isFinite(payment.days);
}

const isOrder = (order) =>
  isObject(order) && Number.isFinite(order.id) && Number.isFinite(order.total) && reviveDate(order, 'placedAt') && isPayment(order.payment);

function checkUnion(user) {
  const error = checkPlain(user);
  if (error !== undefined) return error;
  if (!isContact(user.contact)) return 'contact';
  return Array.isArray(user.orders) && user.orders.every(isOrder) ? undefined : 'orders';
}

function addMonth({ lastUpdate }) {
  lastUpdate.setUTCMonth(lastUpdate.getUTCMonth() + 1);
  return lastUpdate;
}

const plain = (user) => ({ id: user.id, name: user.name, surname: user.surname, lastUpdate: addMonth(user) });

function contactOf(contact) {
  if (contact.kind === 'email') return { kind: 'email', address: contact.address };
  if (contact.kind === 'phone') return { kind: 'phone', country: contact.country, number: contact.number };
  return { kind: 'post', street: contact.street, city: contact.city, zip: contact.zip, country: contact.country };
}

function paymentOf(payment) {
  if (payment.kind === 'card') return { kind: 'card', number: payment.number, expires: payment.expires };
  if (payment.kind === 'transfer') return { kind: 'transfer', iban: payment.iban, bank: payment.bank };
  return { kind: 'invoice', days: payment.days };
}

/** The fields of the schema. */
const union = (user) => ({
  ...plain(user),
  contact: contactOf(user.contact),
  orders: user.orders.map(({ id, total, placedAt, payment }) => ({ id, total, placedAt, payment: paymentOf(payment) })),
});

module.exports = { month: { check: checkPlain, describe: plain }, union: { check: checkUnion, describe: union } };
