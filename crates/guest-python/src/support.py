"""What of the Python guest is written in Python: modules, values that are rarely met, exceptions, coroutines.

Run once, in a namespace of its own, when the guest starts. `native` are the functions of `functions.rs`.
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


# Modules

_loaded_files = {}


def load(specifier, options):
    """The module of a file (an absolute path) or of a name."""
    if options and options.get("forget"):
        return _forget(**options["forget"])
    if not os.path.isabs(specifier):
        if options and options.get("reload"):
            return _load_again(specifier)
        return importlib.import_module(specifier)
    if options and options.get("sources"):
        return _load_embedded(specifier, options["sources"])
    path = os.path.realpath(specifier)
    is_package = os.path.isdir(path)
    file = os.path.join(path, "__init__.py") if is_package else path
    if options and options.get("reload"):
        _forget(os.path.dirname(path))
    known = _loaded_files.get(file)
    if known is not None:
        return known
    if not os.path.exists(file):
        raise FileNotFoundError(f"no such file: {file}")
    folder, name = os.path.split(path)
    name = name if is_package else os.path.splitext(name)[0]
    if folder not in sys.path:
        # As if it were run: modules beside it are found.
        sys.path.insert(0, folder)
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == file:
            _loaded_files[file] = module
            return module
    name = _free_name(name, file)
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[path] if is_package else None)
    if spec is None or spec.loader is None:
        raise ImportError(f"Python does not know how to load {file}: a .py file is expected, or a folder with __init__.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    _loaded_files[file] = module
    return module


def _load_again(name):
    """A module by name: with all of its folder where it is a file of the application's, else it alone."""
    module = importlib.import_module(name)
    file = getattr(module, "__file__", None)
    if file is None or _is_installed(file):
        raise ImportError(f"{name} is not loaded again: that is done for files of the application, and this is {file or 'built in'}")
    _forget(os.path.dirname(file))
    return importlib.import_module(name)


def _is_installed(file):
    parts = file.split(os.sep)
    return "site-packages" in parts or "dist-packages" in parts or file.startswith((sys.base_prefix + os.sep + "lib", sys.prefix + os.sep + "lib"))


def _forget(folder, files=None):
    """Modules of files below a folder are loaded anew with their next import; what there is of them stays as it is.

    With `files`, only if one of these is loaded. Returns those of them that are, without, all that are forgotten.
    """
    folder = os.path.join(os.path.realpath(folder), "")
    below = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        # Packages without a file, which have their modules as attributes.
        places = [file] if isinstance(file, str) else list(getattr(module, "__path__", None) or [])
        real = [os.path.realpath(place) for place in places if isinstance(place, str)]
        if any(place.startswith(folder) and not _is_installed(place) for place in real):
            below[name] = real[0]
    known = list(below.values()) if files is None else [file for file in below.values() if file in files]
    if not known:
        return []
    for name, file in below.items():
        sys.modules.pop(name, None)
        linecache.checkcache(file)
    for file in [file for file in _loaded_files if file.startswith(folder)]:
        del _loaded_files[file]
    for file in known:
        # It is told from another one by whole seconds and its size.
        try:
            os.unlink(importlib.util.cache_from_source(file))
        except (OSError, NotImplementedError, ValueError):
            pass
    importlib.invalidate_caches()
    return known


class _Embedded:
    """Finds and loads modules whose texts an executable carries: by path, as if they were files."""

    def __init__(self):
        self.texts = {}
        self.folders = []

    def add(self, texts, folder):
        self.texts.update(texts)
        if folder not in self.folders:
            self.folders.append(folder)
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def find_spec(self, fullname, path=None, target=None):
        name = fullname.rpartition(".")[2]
        for folder in self.folders if path is None else path:
            for file, is_package in ((os.path.join(folder, name, "__init__.py"), True), (os.path.join(folder, f"{name}.py"), False)):
                if file in self.texts:
                    return self.spec(fullname, file, is_package)
        return None

    def spec(self, name, file, is_package=False):
        spec = importlib.util.spec_from_loader(name, self, origin=file, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(file)]
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.origin
        text = self.texts[file]
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        exec(compile(text, file, "exec"), module.__dict__)


_embedded = _Embedded()


def _load_embedded(file, texts):
    known = _loaded_files.get(file)
    if known is not None:
        return known
    _embedded.add(texts, os.path.dirname(file))
    name = _free_name(os.path.splitext(os.path.basename(file))[0], file)
    module = importlib.util.module_from_spec(_embedded.spec(name, file))
    sys.modules[name] = module
    try:
        _embedded.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    _loaded_files[file] = module
    return module


def _free_name(name, file):
    """The file's own name, unless something else has it."""
    name = "".join(part if part.isalnum() else "_" for part in name)
    if name in sys.modules or name in sys.stdlib_module_names if hasattr(sys, "stdlib_module_names") else name in sys.modules:
        return f"{name}_{hashlib.sha256(file.encode()).hexdigest()[:8]}"
    return name


_main = types.ModuleType("__main__")
_main.__dict__["__builtins__"] = builtins
_evaluated = itertools.count(1)


# Names of what was evaluated, of which tracebacks show the lines; the oldest first.
_shown = {}
SHOWN_MAX = 1000


def _show_lines(name, code):
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    _shown.pop(name, None)
    _shown[name] = None
    if len(_shown) > SHOWN_MAX:
        oldest = next(iter(_shown))
        _shown.pop(oldest, None)
        linecache.cache.pop(oldest, None)


def evaluate(code, name, options):
    """The value of the last expression; `options['locals']` are names of the code's own."""
    name = name or f"<eval {next(_evaluated)}>"
    _show_lines(name, code)
    tree = ast.parse(code, name)
    scope = _main.__dict__
    if options and options.get("locals") is not None:
        scope = {**scope, **options["locals"]}
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    if tree.body:
        exec(compile(tree, name, "exec"), scope)
    if last is None or (options and options.get("statements")):
        if last is not None:
            exec(compile(ast.Module([last], []), name, "exec"), scope)
        return None
    return eval(compile(ast.Expression(last.value), name, "eval"), scope)


# For `raise` of `language.rs`.
ValueError = builtins.ValueError


def has_global_lock():
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())


def describe_guest():
    return {
        "language": "python",
        "version": ".".join(map(str, sys.version_info[:3])),
        "implementation": sys.implementation.name,
        "executable": sys.executable,
        "prefix": sys.prefix,
        "path": list(sys.path),
        "hasGlobalLock": has_global_lock(),
    }


# Values on their way out

def convert(value):
    """A value that is none of the plain types, as (kind, …)."""
    kind = type(value)
    if isinstance(value, JavaScriptObject):
        return (REFERENCE, value._client, value._id)
    if isinstance(value, enum.Enum):
        return (PLAIN, value.value)
    if isinstance(value, bool):
        return (PLAIN, bool(value))
    if isinstance(value, int):
        value = int(value)
        if -(2**63) <= value < 2**63:
            return (PLAIN, value)
        size = abs(value)
        return (BIG, value < 0, size.to_bytes((size.bit_length() + 7) // 8, "little"))
    if isinstance(value, float):
        return (PLAIN, float(value))
    if isinstance(value, str):
        return (TEXT, str(value))
    if isinstance(value, datetime.datetime):
        if value != value:
            # pandas' NaT.
            return (PLAIN, None)
        # One without a zone is of the local one, as everywhere in Python.
        return (DATE, (value - EPOCH) / MILLISECOND if value.tzinfo is not None else value.timestamp() * 1000)
    if isinstance(value, (datetime.date, datetime.time)):
        return (TEXT, value.isoformat())
    if isinstance(value, datetime.timedelta):
        return (PLAIN, value.total_seconds())
    if isinstance(value, decimal.Decimal):
        return (DECIMAL, str(value))
    if isinstance(value, uuid.UUID):
        return (TEXT, str(value))
    if isinstance(value, os.PathLike) and not isinstance(value, type):
        return (TEXT, os.fspath(value))
    if kind is array_module.array and value.typecode in FORMATS:
        return _view(memoryview(value))
    if isinstance(value, memoryview):
        return _view(value)
    if isinstance(value, (set, frozenset)):
        return (SET, list(value))
    if isinstance(value, dict):
        return (MAP, dict(value))
    if isinstance(value, tuple):
        return (OBJECT, value._asdict()) if hasattr(kind, "_fields") else (LIST, list(value))
    if isinstance(value, list):
        return (LIST, list(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (OBJECT, {field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    numeric = _numeric(value, kind)
    if numeric is not None:
        return numeric
    dump = getattr(kind, "model_dump", None)
    if dump is not None and hasattr(kind, "model_fields"):
        return (OBJECT, value.model_dump())
    return (HANDLE, class_name(value))


def _view(view):
    code = FORMATS.index(view.format) if view.format in FORMATS else None
    data = view.tobytes()
    return (BYTES, data) if code is None or view.format in ("B", "b") and view.ndim == 1 else (ARRAY, code, view.shape, data)


def class_name(value):
    kind = value if isinstance(value, type) else type(value)
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, types.FunctionType):
        return f"function {value.__name__}"
    return kind.__qualname__


def _numeric(value, kind):
    """Arrays and numbers of numpy, and tables of pandas."""
    module = kind.__module__
    root = module.partition(".")[0]
    if root == "numpy":
        numpy = sys.modules["numpy"]
        if isinstance(value, numpy.ndarray):
            return _array(numpy, value)
        if isinstance(value, numpy.generic):
            item = value.item()
            return None if isinstance(item, numpy.generic) else (PLAIN, item)
    if root == "pandas":
        pandas = sys.modules["pandas"]
        if isinstance(value, pandas.DataFrame):
            return (OBJECT, {str(name): _column(value[name]) for name in value.columns})
        if isinstance(value, (pandas.Series, pandas.Index)):
            return (LIST, _column(value))
        if value is pandas.NA:
            return (PLAIN, None)
    return None


def _column(series):
    """As a list, with nothing where pandas has nothing."""
    return [None if is_nothing else item for item, is_nothing in zip(series.tolist(), series.isna())]


def _array(numpy, value):
    name = value.dtype.name
    if name in ELEMENTS:
        native_order = value.dtype.newbyteorder("=")
        whole = numpy.ascontiguousarray(value, dtype=native_order)
        # A buffer of bytes, whatever the elements are; one of no dimension is one element.
        return (ARRAY, ELEMENTS.index(name), value.shape, whole.reshape(-1).view("uint8") if whole.size else b"")
    return (LIST, value.tolist()) if value.ndim else (PLAIN, value.item())


def describe(error, depth=0):
    """An exception as an object; less of it, where its own code fails."""
    try:
        return _clean(_described(error, depth))
    except Exception:
        return {"class": type(error).__qualname__, "message": _clean(_message(error))}


def _clean(value):
    """Texts may hold halves of characters, which JavaScript is told by their numbers: names of files do, where they are no UTF-8."""
    if isinstance(value, str):
        return str(value).encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {name: _clean(item) for name, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list) else value


def _message(error):
    try:
        return str(error)
    except BaseException:
        return ""


def _described(error, depth):
    kind = type(error)
    frames = []
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == OWN_FILE or frame.filename.startswith("<frozen importlib"):
            continue
        one = {"file": frame.filename, "line": frame.lineno, "function": frame.name}
        if frame.line:
            one["code"] = frame.line
        frames.append(one)
    if isinstance(error, SyntaxError) and error.filename:
        one = {"file": error.filename, "line": error.lineno or 0, "function": "<module>"}
        if error.text:
            one["code"] = error.text.strip()
        frames.append(one)
    frames.reverse()
    message = _message(error)
    described = {
        "class": kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}",
        "message": message,
        "frames": frames[:100],
        "bases": [base.__qualname__ for base in kind.__mro__[1:] if base not in (object, BaseException)],
    }
    if isinstance(error, JavaScriptError) and error.reference is not None:
        described["reference"] = error.reference
    notes = getattr(error, "__notes__", None)
    if notes:
        described["notes"] = [str(note) for note in notes]
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and depth < 8:
        described["cause"] = describe(cause, depth + 1)
    arguments = [argument for argument in getattr(error, "args", ()) if isinstance(argument, (str, int, float, bool))]
    if arguments and arguments != [message]:
        described["arguments"] = arguments
    code = getattr(error, "code", getattr(error, "errno", None))
    if isinstance(code, (str, int)):
        described["code"] = code
    return described


# Values on their way in

def date(ms):
    return EPOCH + datetime.timedelta(milliseconds=ms)


decimal_of = decimal.Decimal
text_of = str


def big(is_negative, magnitude):
    value = int.from_bytes(magnitude, "little")
    return -value if is_negative else value


def array(code, shape, data):
    """An array of numpy's where there is numpy, a view of the same shape elsewhere."""
    numpy = _numpy()
    if numpy is not None:
        # Of its own, which may be written to.
        return numpy.frombuffer(bytearray(data), dtype=ELEMENTS[code]).reshape(shape)
    view = memoryview(bytearray(data))
    return view.cast(FORMATS[code], shape) if len(shape) == 1 or data else view


_numpy_module = False


def _numpy():
    global _numpy_module
    if _numpy_module is False:
        try:
            import numpy

            _numpy_module = numpy
        except ImportError:
            _numpy_module = None
    return _numpy_module


# What is done with the end of a path, but for calls

def iterate(value):
    return value.__aiter__() if hasattr(value, "__aiter__") else iter(value)


def following(iterator):
    """The next value in a list, or an empty one at the end."""
    if hasattr(iterator, "__anext__"):
        return _following_later(iterator)
    for value in iterator:
        return [value]
    return []


async def _following_later(iterator):
    try:
        return [await iterator.__anext__()]
    except StopAsyncIteration:
        return []


def finish(iterator):
    close = getattr(iterator, "aclose", None) or getattr(iterator, "close", None)
    return close() if close is not None else None


def names(value):
    return [name for name in dir(value) if not name.startswith("_")]


def step(value, name):
    """A member: an attribute, or else what stands under that key."""
    try:
        return getattr(value, name)
    except AttributeError:
        if isinstance(value, dict) or hasattr(type(value), "__getitem__") and not isinstance(value, (list, tuple, str)):
            try:
                return value[name]
            except (KeyError, TypeError, IndexError):
                pass
        elif name.isdigit() and hasattr(type(value), "__getitem__"):
            return value[int(name)]
        raise


def root_member(name):
    """What is built in, or a module of that name."""
    if hasattr(builtins, name):
        return getattr(builtins, name)
    if name in _main.__dict__:
        return _main.__dict__[name]
    return importlib.import_module(name)


def assign(value, name, new):
    if isinstance(value, dict):
        value[name] = new
    else:
        setattr(value, name, new)


def remove(value, name):
    if isinstance(value, dict):
        del value[name]
    else:
        delattr(value, name)


# Coroutines

_loop = None
_loop_thread = None
_loop_lock = threading.Lock()
_tasks = {}
_futures = {}
# Of these come odd numbers of 32 bits: threads wait for even ones (`crates/guest/src/callbacks.rs`).
_later_numbers = itertools.count()


def _event_loop():
    global _loop, _loop_thread
    with _loop_lock:
        if _loop is None:
            loop = asyncio.new_event_loop()
            started = threading.Event()

            def run():
                global _loop_thread
                _loop_thread = threading.get_ident()
                asyncio.set_event_loop(loop)
                loop.call_soon(started.set)
                loop.run_forever()

            threading.Thread(target=run, name="python-asyncio", daemon=True).start()
            started.wait()
            _loop = loop
    return _loop


is_awaitable = inspect.isawaitable


def await_later(awaitable, client, call, form):
    """Runs it in the loop of all coroutines, and settles the call when it is done."""
    loop = _event_loop()

    async def whole():
        try:
            return await awaitable
        except (SystemExit, KeyboardInterrupt) as error:
            # These would end the loop, and with it every other coroutine.
            raise RuntimeError(f"{type(error).__name__} in a coroutine: {error}") from error

    def begin():
        task = loop.create_task(whole())
        _tasks[(client, call)] = task
        task.add_done_callback(done)

    def done(task):
        _tasks.pop((client, call), None)
        if task.cancelled():
            native.settle(client, call, form, False, Cancelled())
            return
        error = task.exception()
        if error is None:
            native.settle(client, call, form, True, task.result())
        else:
            native.settle(client, call, form, False, error)

    loop.call_soon_threadsafe(begin)


def cancel_later(client, call):
    if _loop is None:
        return

    def cancel():
        task = _tasks.get((client, call))
        if task is not None:
            task.cancel()

    _loop.call_soon_threadsafe(cancel)


def _call_later(client, id, args):
    number = None
    while number is None or number in _futures:
        number = (next(_later_numbers) * 2 + 1) % 2**32
    future = _loop.create_future()
    native.call_later(client, id, args, number)
    # On the loop's thread, as what `answered` does.
    _futures[number] = future
    future.add_done_callback(lambda _: _futures.pop(number, None))
    return future


def answered(number, ok, value):
    """JavaScript has answered a call that a coroutine made."""

    def settle():
        future = _futures.get(number)
        if future is None or future.done():
            return
        if ok:
            future.set_result(value)
        else:
            future.set_exception(_thrown(value))

    if _loop is not None:
        _loop.call_soon_threadsafe(settle)


# The beginning and the end

def _leave_signals():
    """Signals are JavaScript's: what libraries install for themselves is not, as in any thread but Python's main one."""

    def ignored(number, handler):
        warnings.warn(f"signal {number} stays with JavaScript: process.on('{signal.Signals(number).name}', …)", stacklevel=2)
        return signal.getsignal(number)

    signal.signal = ignored



def begin():
    sys.argv = [""]
    sys.modules.setdefault("__main__", _main)
    fulmar = types.ModuleType("fulmar")
    fulmar.__doc__ = "What Python code that Fulmar runs may ask of it."
    fulmar.JavaScriptError = JavaScriptError
    fulmar.JavaScriptFunction = JavaScriptFunction
    fulmar.Cancelled = Cancelled
    sys.modules.setdefault("fulmar", fulmar)
    _leave_signals()
    # A copy of this process, which forking makes, would have its connections, and of its threads one.
    multiprocessing.set_start_method("spawn")
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.reconfigure(line_buffering=True)
        except (AttributeError, ValueError):
            pass


def flush():
    import atexit

    run = getattr(atexit, "_run_exitfuncs", None)
    if run is not None:
        run()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, ValueError, OSError):
            pass
