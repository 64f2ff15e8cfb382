/** Fields by which a request says who it is: what is made for one is nobody else's. In lower case. */
export const CREDENTIALS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key', 'x-auth-token'];
