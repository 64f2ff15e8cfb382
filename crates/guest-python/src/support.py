"""What of the Python guest is written in Python: modules, values that are rarely met, exceptions, coroutines.

Run once when the guest starts, with the files in `support`, in one namespace of its own and in the order that
`language.rs` has them: what they import is imported here. `native` are the functions of `functions.rs`. Here are the classes.
"""

import array as array_module
import ast
import asyncio
import builtins
import dataclasses
import datetime
import decimal
import enum
import hashlib
import importlib
import importlib.util
import inspect
import itertools
import linecache
import multiprocessing
import os
import signal
import struct
import sys
import threading
import traceback
import types
import uuid
import warnings

OWN_FILE = "<fulmar>"
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MILLISECOND = datetime.timedelta(milliseconds=1)

# Kinds of what `convert` returns first.
HANDLE, TEXT, DATE, DECIMAL, OBJECT, LIST, SET, BYTES, ARRAY, PLAIN, REFERENCE, BIG, MAP = range(13)

# Names of numpy's types by their codes in messages (`crates/guest/src/wire.rs`).
ELEMENTS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "bool")
# The same for `memoryview.cast`.
FORMATS = ("b", "B", "h", "H", "i", "I", "q", "Q", "f", "d", "?")

native = types.SimpleNamespace()
_process = os.getpid()


class JavaScriptError(Exception):
    """What a function of JavaScript's has thrown."""

    def __init__(self, message="", name="Error", stack=None, reference=None):
        super().__init__(message)
        self.name = name
        self.stack = stack
        self.reference = reference

    def __str__(self):
        message = super().__str__()
        return f"{self.name}: {message}" if self.name != "Error" else message


class Cancelled(BaseException):
    """Nobody waits for this call any more: its time is over, or its signal was aborted."""


class JavaScriptObject:
    """An object of JavaScript's, which comes back to it as the same."""

    __slots__ = ("_client", "_id", "__weakref__")

    def __init__(self, client, id):
        self._client = client
        self._id = id

    def __del__(self):
        if os.getpid() == _process:
            native.let_go(self._client, self._id)

    def __repr__(self):
        return "<object of JavaScript's>"


class JavaScriptFunction(JavaScriptObject):
    """A function of JavaScript's. Within a coroutine its result is awaited, elsewhere it is returned."""

    __slots__ = ()

    def __call__(self, *args, **named):
        if named:
            args = (*args, named)
        if _loop_thread is not None and threading.get_ident() == _loop_thread:
            return _call_later(self._client, self._id, args)
        ok, value = native.call(self._client, self._id, args)
        if ok:
            return value
        raise _thrown(value)

    def __repr__(self):
        return "<function of JavaScript's>"


def _thrown(value):
    if isinstance(value, dict):
        return JavaScriptError(value.get("message", ""), value.get("name", "Error"), value.get("stack"), value.get("reference"))
    return JavaScriptError(str(value))


def reference(client, id, is_callable):
    return JavaScriptFunction(client, id) if is_callable else JavaScriptObject(client, id)


