/** What the environment says, read once and checked as a whole: who starts it is told all that is wrong at the same time. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';

/** A class, so that it can be injected by its type. */
export abstract class Settings {
  abstract readonly port: number;
  /** Null: everything is kept in memory. */
  abstract readonly databaseUrl: string | null;
  /** Signs tokens. */
  abstract readonly secret: string;
  abstract readonly tokenSeconds: number;
  /** To sign in, and to sign up, of one address in a minute. */
  abstract readonly attemptsMax: number;
  /** Where files are kept. */
  abstract readonly folder: string;
  abstract readonly fileBytesMax: number;
  /** Of all files of one account. */
  abstract readonly accountBytesMax: number;
  /** There is such an account when it has started. */
  abstract readonly admin: { readonly email: string; readonly password: string } | null;
  /** Served to browsers over https, by a proxy. */
  abstract readonly isHttps: boolean;
  /** A line for each request. */
  abstract readonly logsRequests: boolean;
}

export class SettingsError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_LENGTH_MIN = 32;
const PASSWORD_LENGTH_MIN = 10;
const HOUR_SECONDS = 3600;
const MEBIBYTE = 1024 * 1024;

/** @throws SettingsError with a line for each setting that is missing or wrong */
export function readSettings(env: Environment): Settings {
  const problems: string[] = [];
  const isProduction = env['NODE_ENV'] === 'production';
  const whole = (name: string, fallback: number, min = 1): number => {
    const text = env[name] ?? '';
    const value = text === '' ? fallback : Number(text);
    if (!Number.isSafeInteger(value) || value < min)
      problems.push(`${name} is a whole number from ${min} on, and it is ${JSON.stringify(text)}.`);
    return value;
  };
  const settings: Settings = {
    port: whole('PORT', 3000, 0),
    databaseUrl: databaseOf(env, isProduction, problems),
    secret: secretOf(env, isProduction, problems),
    tokenSeconds: whole('TOKEN_SECONDS', HOUR_SECONDS),
    attemptsMax: whole('ATTEMPTS_MAX', 30),
    folder: resolve(env['FILES_FOLDER'] || 'files'),
    fileBytesMax: whole('FILE_BYTES_MAX', 10 * MEBIBYTE),
    accountBytesMax: whole('ACCOUNT_BYTES_MAX', 100 * MEBIBYTE),
    admin: adminOf(env, problems),
    isHttps: env['HTTPS'] === '1',
    logsRequests: env['ACCESS_LOG'] !== '0',
  };
  if (problems.length > 0) throw new SettingsError(`The environment does not fit:\n${problems.map((one) => `  ${one}`).join('\n')}`);
  return settings;
}

function databaseOf({ DATABASE_URL: url = '' }: Environment, isProduction: boolean, problems: string[]): string | null {
  if (url === '') {
    if (isProduction)
      problems.push('DATABASE_URL is missing: in production nothing is kept in memory alone. postgres://user:password@host:5432/name');
    return null;
  }
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    problems.push('DATABASE_URL is no postgres://user:password@host:5432/name.');
  return url;
}

function secretOf({ TOKEN_SECRET: secret = '' }: Environment, isProduction: boolean, problems: string[]): string {
  if (secret === '' && !isProduction) return randomBytes(SECRET_LENGTH_MIN).toString('hex');
  if (secret.length < SECRET_LENGTH_MIN)
    problems.push(`TOKEN_SECRET has ${SECRET_LENGTH_MIN} characters or more, and it has ${secret.length}: openssl rand -hex 32`);
  return secret;
}

function adminOf({ ADMIN_EMAIL: email = '', ADMIN_PASSWORD: password = '' }: Environment, problems: string[]): Settings['admin'] {
  if (email === '' && password === '') return null;
  if (email === '') problems.push('ADMIN_EMAIL is missing, and there is an ADMIN_PASSWORD.');
  if (password.length < PASSWORD_LENGTH_MIN) problems.push(`ADMIN_PASSWORD has ${PASSWORD_LENGTH_MIN} characters or more.`);
  return { email, password };
}
