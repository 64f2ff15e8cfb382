//! Nothing: `llrt_intl` names this crate and uses nothing of it, and the real one is written for another
//! rquickjs.
