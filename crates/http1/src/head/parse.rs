//! Says what a complete head means.

use super::{FieldSpan, HeadLimits, RequestHead};
use crate::Reject;

/// Parses a complete head, `start..end` of the scan.
pub fn parse_request_head(
    _head: &[u8],
    _limits: &HeadLimits,
    fields: &mut Vec<FieldSpan>,
) -> Result<RequestHead, Reject> {
    fields.clear();
    Err(Reject::UnknownMethod)
}
