//! Objects of JavaScript's, as Ruby has them: objects of a class of `support.rb` with a number behind them, which
//! is let go of when Ruby's collector takes them.

use std::ffi::c_void;
use std::sync::{Arc, Weak};

use fulmar_guest::Client;
use fulmar_guest::request::reply;
use fulmar_guest::wire::Writer;

use crate::ffi::{DataType, FREE_IMMEDIATELY, Value};
use crate::ruby::Ruby;

static TYPE: DataType = DataType {
    name: c"fulmar".as_ptr(),
    mark: None,
    free: Some(free),
    size: None,
    compact: None,
    reserved: [std::ptr::null_mut()],
    parent: std::ptr::null(),
    data: std::ptr::null_mut(),
    flags: FREE_IMMEDIATELY,
};

/// What stands behind one.
pub(crate) struct Reference {
    pub(crate) client: Weak<Client>,
    pub(crate) client_id: u64,
    pub(crate) id: u64,
}

/// Called by Ruby's collector: nothing of Ruby's is called here.
unsafe extern "C" fn free(data: *mut c_void) {
    // SAFETY: made of a box by `make`, and given up here.
    let reference = unsafe { Box::from_raw(data.cast::<Reference>()) };
    if let Some(client) = reference.client.upgrade() {
        client.reply(Writer::starting(reply::LET_GO, reference.id));
    }
}

/// One more object of that class for an object of JavaScript's.
pub(crate) fn make(ruby: Ruby, class: Value, client: &Arc<Client>, id: u64) -> Value {
    let reference = Box::new(Reference {
        client: Arc::downgrade(client),
        client_id: client.id,
        id,
    });
    let data = Box::into_raw(reference).cast();
    // SAFETY: a live class without an allocator of its own; the type is static, and frees what is given here.
    unsafe { (ruby.api().rb_data_typed_object_wrap)(class, data, &raw const TYPE) }
}

/// What stands behind a value, if it is one of these. As long as the value is kept.
pub(crate) fn behind<'a>(ruby: Ruby, value: Value) -> Option<&'a Reference> {
    // SAFETY: a live value.
    if unsafe { (ruby.api().rb_typeddata_is_kind_of)(value, &raw const TYPE) } == 0 {
        return None;
    }
    // SAFETY: of this type, so that it does not raise.
    let data = unsafe { (ruby.api().rb_check_typeddata)(value, &raw const TYPE) };
    // SAFETY: made of a box by `make`; it lives as long as the value.
    Some(unsafe { &*data.cast::<Reference>() })
}
