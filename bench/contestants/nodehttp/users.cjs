// The two bodies of `updateUser`, checked by hand. A check names the first field that is wrong and revives
// the dates in place; `server.cjs` validates with it; nothing here touches a request or a reply.
'use strict';

const TEXT_CHARS_MAX = 100;
const TAGS = 10;
const ORDERS = 8;
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i;
const ISO_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** The error of a body of five fields, or undefined. */
function checkLight(user) {
  if (!isObject(user)) return 'an object is expected';
  if (!Number.isInteger(user.id) || user.id < 1) return 'id';
  if (!isText(user.name)) return 'name';
  if (typeof user.email !== 'string' || !EMAIL.test(user.email)) return 'email';
  if (!reviveDate(user, 'birthday')) return 'birthday';
  if (typeof user.active !== 'boolean') return 'active';
  return undefined;
}

/** The error of a body with address, tags and orders, or undefined. */
function checkHeavy(user) {
  const error = checkLight(user);
  if (error !== undefined) return error;
  if (!isAddress(user.address)) return 'address';
  if (!Array.isArray(user.tags) || user.tags.length !== TAGS || !user.tags.every(isText)) return 'tags';
  if (!Array.isArray(user.orders) || user.orders.length !== ORDERS || !user.orders.every(isOrder)) return 'orders';
  return undefined;
}

function isAddress(address) {
  return isObject(address) && isText(address.street) && isText(address.city) && isText(address.zip) && isText(address.country);
}

function isOrder(order) {
  return isObject(order) && Number.isInteger(order.id) && Number.isFinite(order.total) && reviveDate(order, 'placedAt');
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function isText(value) {
  return typeof value === 'string' && value.length >= 1 && value.length <= TEXT_CHARS_MAX;
}

/** Turns the ISO date-time at `key` into a Date; false when it is none. */
function reviveDate(object, key) {
  const text = object[key];
  if (typeof text !== 'string' || !ISO_DATE_TIME.test(text)) return false;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return false;
  object[key] = date;
  return true;
}

/** The fields of the schema, with the year of birth. */
function describeLight({ id, name, email, birthday, active }) {
  return { id, name, email, birthday, active, birthYear: birthday.getUTCFullYear() };
}

/** The fields of the schema, with the year of birth and that of the last order. */
function describeHeavy({ id, name, email, birthday, active, address, tags, orders }) {
  const { street, city, zip, country } = address;
  return {
    id,
    name,
    email,
    birthday,
    active,
    address: { street, city, zip, country },
    tags,
    orders: orders.map(({ id: order, total, placedAt }) => ({ id: order, total, placedAt })),
    birthYear: birthday.getUTCFullYear(),
    lastOrderYear: Math.max(...orders.map((order) => order.placedAt.getUTCFullYear())),
  };
}

module.exports = { light: { check: checkLight, describe: describeLight }, heavy: { check: checkHeavy, describe: describeHeavy } };
