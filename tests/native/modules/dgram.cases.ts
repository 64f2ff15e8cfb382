import dgram from 'node:dgram';
import { cases } from '../harness/cases.ts';

const reason = 'the native host has no UDP';

export default cases(
  'dgram',
  {
    createSocket: [() => typeof dgram.createSocket('udp4').close],
    Socket: [() => typeof new (dgram.Socket as never as new (type: string) => object)('udp4')],
  },
  { missing: { createSocket: reason, Socket: reason } },
);
