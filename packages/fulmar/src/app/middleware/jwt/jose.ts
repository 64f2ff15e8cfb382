/**
 * What of `jose` is used, loaded with the first token: signatures of tokens and the keys they are made with,
 * on the web's own cryptography.
 */
import { createRemoteJWKSet, errors, importJWK, importPKCS8, importSPKI, jwtVerify, SignJWT } from 'jose';

export default { createRemoteJWKSet, errors, importJWK, importPKCS8, importSPKI, jwtVerify, SignJWT };
