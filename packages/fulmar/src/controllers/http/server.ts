/**
 * The server of an application, which is that of its app. Loaded with a port, or with the first that asks for it.
 */
export { serverFor as default } from '../../app/server.ts';
