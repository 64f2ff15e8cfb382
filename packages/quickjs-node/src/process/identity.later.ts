/**
 * Who and where the process is: users and groups, signals to processes.
 */
import ops from 'fulmar:ops';
import { errnoException } from '../shared/errno.ts';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { validateArray, validateUint32 } from '../shared/validators.ts';

function kill(pid: number, signal?: string | number): true {
  // eslint-disable-next-line eqeqeq -- as Node compares: '1' is a pid
  if (pid != (Number(pid) | 0)) throw invalidArgType('pid', 'number', pid);
  const status = ops.kill(Number(pid), signalNumber(signal));
  if (status < 0) throw errnoException(status, 'kill');
  return true;
}

function signalNumber(signal: string | number | undefined): number {
  if (typeof signal === 'number') return signal;
  const name = signal || 'SIGTERM';
  const number = ops.signals()[name];
  if (number === undefined) throw coded(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${name}`);
  return number;
}

type Named = 'User' | 'Group';

/** A number, or the name of a user or group. */
function idOf(kind: Named, id: unknown, name: string): number {
  if (typeof id === 'number') {
    validateUint32(id, name);
    return id;
  }
  if (typeof id !== 'string') throw invalidArgType(name, ['number', 'string'], id);
  const number = kind === 'User' ? ops.userId(id) : ops.groupId(id);
  if (number === undefined) throw coded(Error, 'ERR_UNKNOWN_CREDENTIAL', `${kind} identifier does not exist: ${id}`);
  return number;
}

function setter(which: 'setuid' | 'seteuid' | 'setgid' | 'setegid', kind: Named): (id: number | string) => void {
  return (id) => {
    const status = ops.setId(which, idOf(kind, id, 'id'));
    if (status < 0) throw errnoException(status, which);
  };
}

function setgroups(groups: readonly (string | number)[]): void {
  validateArray(groups, 'groups');
  const list = groups.map((group, at) => idOf('Group', group, `groups[${at}]`));
  const status = ops.setGroups(list);
  if (status < 0) throw errnoException(status, 'setgroups');
}

function initgroups(user: string | number, group: string | number): void {
  if (typeof user !== 'string' && typeof user !== 'number') throw invalidArgType('user', ['number', 'string'], user);
  if (typeof user === 'number') throw invalidArgValue('user', user, 'must be a name: numbers are not supported here');
  const status = ops.initGroups(user, idOf('Group', group, 'extraGroup'));
  if (status < 0) throw errnoException(status, 'initgroups');
}

export const members = {
  kill,
  _kill: (pid: number, signal: number): number => ops.kill(pid, signal),
  abort: (): never => ops.abort(),
  getuid: (): number => ops.ids()[0],
  geteuid: (): number => ops.ids()[1],
  getgid: (): number => ops.ids()[2],
  getegid: (): number => ops.ids()[3],
  getgroups: (): number[] => ops.groups(),
  setuid: setter('setuid', 'User'),
  seteuid: setter('seteuid', 'User'),
  setgid: setter('setgid', 'Group'),
  setegid: setter('setegid', 'Group'),
  setgroups,
  initgroups,
};
