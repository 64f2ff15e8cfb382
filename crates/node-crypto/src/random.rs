//! Random bytes from the operating system, and comparison in constant time.

use subtle::ConstantTimeEq as _;

/// Fills with bytes from the operating system's generator.
///
/// # Errors
/// What the operating system says when it gives none.
pub fn fill(bytes: &mut [u8]) -> Result<(), String> {
    getrandom::fill(bytes)
        .map_err(|error| format!("the operating system gives no random bytes: {error}"))
}

/// Are they the same? Looks at every byte, whatever differs; only the lengths are no secret.
#[must_use]
pub fn equal(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}
