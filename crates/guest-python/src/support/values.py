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
    if hasattr(kind, "__len__") and (hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__")):
        if "arrow_value" not in globals():
            exec(compile(ARROW, OWN_FILE, "exec"), globals())
        table = arrow_value(value)
        if table is not None:
            return table
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
    # One without elements has no shape but that.
    return view.cast(FORMATS[code], shape) if data else view.cast(FORMATS[code])


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


