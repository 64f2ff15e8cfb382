/**
 * What the environment says about whom to trust.
 */

let isWarned = false;

/**
 * `NODE_TLS_REJECT_UNAUTHORIZED=0`: a client that says nothing else takes every certificate. Read anew by
 * each connection.
 */
export function isUnauthorizedAllowed(): boolean {
  const isAllowed = process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  if (isAllowed && !isWarned) {
    isWarned = true;
    process.emitWarning(
      "Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS connections and HTTPS requests insecure by disabling " +
        'certificate verification.',
    );
  }
  return isAllowed;
}
