/**
 * Defaults that an application can change for all its sockets.
 */
export const defaults = {
  autoSelectFamily: true,
  /** In ms. */
  attemptTimeout: 500,
};
