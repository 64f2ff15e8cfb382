//! CRuby's functions, found in its library when that is opened. Objects are words that only these functions
//! look behind, so that one build serves every version from 3.0 on: what differs between them is the layout of
//! objects, and nothing here knows it. Only integers that fit a word are told by their lowest bit, which has
//! been the same since Ruby 1.8 and is what compiled extensions rely on.

use std::ffi::{CStr, c_char, c_int, c_long, c_void};

use fulmar_guest::dynamic::Opened;

/// `VALUE`: an object of Ruby's, or a small value itself.
///
/// It is alive as long as Ruby's collector sees it: on the machine stack of a thread that Ruby knows, or in an
/// object that is. On Rust's heap it is invisible, and may be gone at any time.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value(pub(crate) usize);

/// `ID`: a name.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id(pub(crate) usize);

/// What `rb_protect` runs.
pub(crate) type Body = unsafe extern "C" fn(Value) -> Value;
/// What `rb_define_singleton_method` takes, with -1 as the count of arguments.
pub(crate) type Function = unsafe extern "C" fn(c_int, *const Value, Value) -> Value;
/// What `rb_hash_foreach` calls: key, value, its argument.
pub(crate) type Pair = unsafe extern "C" fn(Value, Value, Value) -> c_int;
/// What runs without the lock.
pub(crate) type Blocking = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
/// What ends that early.
pub(crate) type Unblock = unsafe extern "C" fn(*mut c_void);

/// `rb_data_type_t`, which compiled extensions have in them: the same in every version since 2.1.
#[repr(C)]
pub(crate) struct DataType {
    pub(crate) name: *const c_char,
    pub(crate) mark: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(crate) free: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(crate) size: Option<unsafe extern "C" fn(*const c_void) -> usize>,
    pub(crate) compact: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(crate) reserved: [*mut c_void; 1],
    pub(crate) parent: *const DataType,
    pub(crate) data: *mut c_void,
    pub(crate) flags: usize,
}

// SAFETY: written once, read by Ruby only.
unsafe impl Sync for DataType {}

/// `RUBY_TYPED_FREE_IMMEDIATELY`: the end of such an object calls nothing of Ruby's.
pub(crate) const FREE_IMMEDIATELY: usize = 1;
/// `INTEGER_PACK_LITTLE_ENDIAN`: words and bytes with the lowest first.
pub(crate) const LITTLE_ENDIAN: c_int = 0x22;
/// `INTEGER_PACK_NEGATIVE`.
pub(crate) const NEGATIVE: c_int = 0x200;
/// `RUBY_TAG_RAISE`: an exception, among what ends `rb_protect` early.
pub(crate) const TAG_RAISE: c_int = 6;

const fn terminated(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

macro_rules! table {
    (functions { $($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)* } objects { $($object:ident;)* }) => {
        /// Everything that is used of Ruby, by its own names.
        #[allow(non_snake_case, reason = "Ruby's names")]
        pub(crate) struct Api {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            $($object: *const Value,)*
        }

        // SAFETY: addresses of functions and of static places.
        unsafe impl Send for Api {}
        // SAFETY: as above.
        unsafe impl Sync for Api {}

        impl Api {
            /// Finds all of it.
            ///
            /// # Errors
            /// The name of the function that the library lacks.
            pub(crate) fn of(library: Opened) -> Result<Self, String> {
                Ok(Self {
                    $($name: {
                        const NAME: &CStr = terminated(concat!(stringify!($name), "\0"));
                        let address = library.symbol(NAME).ok_or(stringify!($name))?;
                        // SAFETY: Ruby's headers say what this function takes and gives.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(address) }
                    },)*
                    $($object: {
                        const NAME: &CStr = terminated(concat!(stringify!($object), "\0"));
                        library.symbol(NAME).ok_or(stringify!($object))?.cast()
                    },)*
                })
            }

            $(
                /// A class of Ruby's, once it runs.
                #[allow(non_snake_case, reason = "Ruby's names")]
                pub(crate) fn $object(&self) -> Value {
                    // SAFETY: a static place, written at Ruby's start and never again.
                    unsafe { *self.$object }
                }
            )*
        }
    };
}

table! {
    functions {
        ruby_sysinit: fn(*mut c_int, *mut *mut *mut c_char);
        ruby_init_stack: fn(*mut c_void);
        ruby_setup: fn() -> c_int;
        ruby_options: fn(c_int, *mut *mut c_char) -> *mut c_void;
        ruby_native_thread_p: fn() -> c_int;
        ruby_executable_node: fn(*mut c_void, *mut c_int) -> c_int;
        rb_protect: fn(Body, Value, *mut c_int) -> Value;
        rb_errinfo: fn() -> Value;
        rb_set_errinfo: fn(Value);
        rb_exc_raise: fn(Value);
        rb_jump_tag: fn(c_int);
        rb_eval_string: fn(*const c_char) -> Value;
        rb_obj_class: fn(Value) -> Value;
        rb_obj_respond_to: fn(Value, Id, c_int) -> c_int;
        rb_ivar_get: fn(Value, Id) -> Value;
        rb_ary_new_capa: fn(c_long) -> Value;
        rb_ary_push: fn(Value, Value) -> Value;
        rb_ary_entry: fn(Value, c_long) -> Value;
        rb_hash_new: fn() -> Value;
        rb_hash_aset: fn(Value, Value, Value) -> Value;
        rb_hash_lookup2: fn(Value, Value, Value) -> Value;
        rb_hash_delete: fn(Value, Value) -> Value;
        rb_hash_foreach: fn(Value, Pair, Value);
        rb_str_new: fn(*const c_char, c_long) -> Value;
        rb_utf8_str_new: fn(*const c_char, c_long) -> Value;
        rb_str_intern: fn(Value) -> Value;
        rb_sym2str: fn(Value) -> Value;
        rb_string_value_ptr: fn(*mut Value) -> *const c_char;
        rb_enc_get_index: fn(Value) -> c_int;
        rb_utf8_encindex: fn() -> c_int;
        rb_usascii_encindex: fn() -> c_int;
        rb_ascii8bit_encindex: fn() -> c_int;
        rb_utf8_encoding: fn() -> *mut c_void;
        rb_float_new: fn(f64) -> Value;
        rb_num2dbl: fn(Value) -> f64;
        rb_ll2inum: fn(i64) -> Value;
        rb_ull2inum: fn(u64) -> Value;
        rb_num2ll: fn(Value) -> i64;
        rb_absint_size: fn(Value, *mut c_int) -> usize;
        rb_integer_pack: fn(Value, *mut c_void, usize, usize, usize, c_int) -> c_int;
        rb_integer_unpack: fn(*const c_void, usize, usize, usize, c_int) -> Value;
        rb_check_id: fn(*mut Value) -> Id;
        rb_intern3: fn(*const c_char, c_long, *mut c_void) -> Id;
        rb_funcallv: fn(Value, Id, c_int, *const Value) -> Value;
        rb_funcallv_public: fn(Value, Id, c_int, *const Value) -> Value;
        rb_gc_register_mark_object: fn(Value);
        rb_thread_create: fn(unsafe extern "C" fn(*mut c_void) -> Value, *mut c_void) -> Value;
        rb_thread_current: fn() -> Value;
        rb_thread_check_ints: fn();
        rb_thread_call_without_gvl: fn(Blocking, *mut c_void, Option<Unblock>, *mut c_void) -> *mut c_void;
        rb_data_typed_object_wrap: fn(Value, *mut c_void, *const DataType) -> Value;
        rb_typeddata_is_kind_of: fn(Value, *const DataType) -> c_int;
        rb_check_typeddata: fn(Value, *const DataType) -> *mut c_void;
        rb_undef_alloc_func: fn(Value);
        rb_define_singleton_method: fn(Value, *const c_char, Function, c_int);
    }
    objects {
        rb_cInteger;
        rb_cFloat;
        rb_cString;
        rb_cSymbol;
        rb_cArray;
        rb_cHash;
    }
}
