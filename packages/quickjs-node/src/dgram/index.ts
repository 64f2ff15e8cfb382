/**
 * `node:dgram`: no UDP. Clients of metrics look at it when they load and use it when they are configured to.
 */
import { unavailable, unavailableClass } from '../shared/unavailable.ts';

export default {
  createSocket: unavailable('dgram.createSocket'),
  Socket: unavailableClass('dgram.Socket'),
};
