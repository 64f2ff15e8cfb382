/**
 * A server that decides by what a client asks for: `SNICallback` chooses the certificate, `ALPNCallback` the
 * protocol.
 */
import type { TlsOffer } from 'fulmar:ops';
import { coded } from '../shared/errors.ts';
import { SecureContext, settingsOf } from './settings.ts';
import type { Options } from './settings.ts';
import type { TlsState } from './socket.ts';

type Chosen = (error: Error | null | undefined, context?: unknown) => void;

/** No client can offer it: what is meant is that there is no common protocol. */
const NO_PROTOCOL = ['\0'];

export function answerOffer(socket: TlsState, offer: TlsOffer): void {
  const choose = socket._tlsOptions['SNICallback'];
  if (typeof choose !== 'function' || !offer.servername) {
    accept(socket, offer, undefined);
    return;
  }
  let isChosen = false;
  const chosen: Chosen = (error, context) => {
    if (isChosen) socket.destroy(coded(Error, 'ERR_MULTIPLE_CALLBACK', 'Callback called multiple times'));
    else if (error) socket.destroy(error);
    else if (!socket.destroyed) accept(socket, offer, context);
    isChosen = true;
  };
  (choose as (this: TlsState, name: string, done: Chosen) => void).call(socket, offer.servername, chosen);
}

/** The protocols to agree on, among those that the client offers. */
function protocolsFor(socket: TlsState, { servername, protocols }: TlsOffer): Options {
  const choose = socket._tlsOptions['ALPNCallback'];
  if (typeof choose !== 'function' || protocols === undefined) return {};
  const callback = choose as (this: TlsState, offer: object) => unknown;
  const chosen = callback.call(socket, { servername: servername ?? '', protocols: [...protocols] });
  if (chosen === undefined) return { ALPNProtocols: NO_PROTOCOL };
  if (protocols.includes(chosen as string)) return { ALPNProtocols: [chosen] };
  const message = `ALPN callback returned a value (${chosen as string}) that did not match any of the client's offered protocols`;
  throw coded(TypeError, 'ERR_TLS_ALPN_CALLBACK_INVALID_RESULT', `${message} (${protocols.join(', ')})`);
}

function accept(socket: TlsState, offer: TlsOffer, context: unknown): void {
  const options = socket._tlsOptions;
  const secureContext = context instanceof SecureContext ? context : options['secureContext'];
  try {
    socket.ssl.accept(
      settingsOf({ ...options, secureContext, ticketContext: options['secureContext'], ...protocolsFor(socket, offer) }, true),
    );
  } catch (error) {
    socket.destroy(error as Error);
  }
}
