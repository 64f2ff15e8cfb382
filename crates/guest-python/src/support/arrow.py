# Tables and columns of Arrow, of whatever library: what has the methods of its C data interface and a length. Read by
# `ctypes` (https://arrow.apache.org/docs/format/CDataInterface.html). Run once such a value is met.

# `struct` names of formats of numbers.
_ARROW_NUMBERS = dict(c="b", C="B", s="h", S="H", i="i", I="I", l="q", L="Q", e="e", f="f", g="d")
_ARROW_UNITS = dict(s=1, m=1_000, u=1_000_000, n=1_000_000_000)
_NAIVE_EPOCH = datetime.datetime(1970, 1, 1)
_arrow_structures = None


def arrow_value(value):
    """A table as an object of its columns, a column as a list; None: there is no `ctypes`."""
    try:
        structures = _arrow_ctypes()
    except ImportError:
        return None
    has_stream = hasattr(type(value), "__arrow_c_stream__")
    chunks = _arrow_stream(value, structures) if has_stream else _arrow_array(value, structures)
    names, columns = [], []
    rows = []
    # A list of structures has no columns of its own.
    is_table = hasattr(value, "schema") or hasattr(value, "columns")
    for schema, array in chunks:
        if not is_table or schema.format != b"+s":
            if array is not None:
                rows.extend(_arrow_values(schema, array, 0, array.length))
            continue
        if not names:
            names = [schema.children[index].contents.name.decode() for index in range(schema.n_children)]
            columns = [[] for _ in names]
            if len(set(names)) < len(names):
                twice = sorted({name for name in names if names.count(name) > 1})
                raise ValueError(f"columns of a table become members of an object, and two are called {twice[0]!r}: rename one")
        for index, column in enumerate(columns if array is not None else []):
            child = array.children[index].contents
            column.extend(_arrow_values(schema.children[index].contents, child, array.offset, array.length, names[index]))
    return (OBJECT, dict(zip(names, columns))) if is_table else (LIST, rows)


def _arrow_stream(value, structures):
    """Pairs of the schema and a chunk, which are let go of with the next one; first one without a chunk."""
    schema_type, array_type, stream_type, capsule_pointer, byref = structures
    capsule = value.__arrow_c_stream__()
    stream = stream_type.from_address(capsule_pointer(capsule, b"arrow_array_stream"))
    schema = schema_type()

    def check(code):
        if code:
            text = stream.get_last_error(byref(stream))
            raise OSError(code, (text or b"a table of Arrow could not be read").decode(errors="replace"))

    check(stream.get_schema(byref(stream), byref(schema)))
    try:
        yield schema, None
        while True:
            array = array_type()
            check(stream.get_next(byref(stream), byref(array)))
            if not array.release:
                return
            try:
                yield schema, array
            finally:
                array.release(byref(array))
    finally:
        schema.release(byref(schema))


def _arrow_array(value, structures):
    schema_type, array_type, _stream, capsule_pointer, _byref = structures
    # Let go of with their capsules.
    of_schema, of_array = value.__arrow_c_array__()
    yield schema_type.from_address(capsule_pointer(of_schema, b"arrow_schema")), None
    yield (
        schema_type.from_address(capsule_pointer(of_schema, b"arrow_schema")),
        array_type.from_address(capsule_pointer(of_array, b"arrow_array")),
    )


def _arrow_ctypes():
    global _arrow_structures
    if _arrow_structures is not None:
        return _arrow_structures
    import ctypes

    class Schema(ctypes.Structure):
        pass

    class Array(ctypes.Structure):
        pass

    class Stream(ctypes.Structure):
        pass

    pointer, number = ctypes.POINTER, ctypes.c_int64
    Schema._fields_ = [
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_void_p),
        ("flags", number),
        ("n_children", number),
        ("children", pointer(pointer(Schema))),
        ("dictionary", pointer(Schema)),
        ("release", ctypes.CFUNCTYPE(None, pointer(Schema))),
        ("private_data", ctypes.c_void_p),
    ]
    Array._fields_ = [
        ("length", number),
        ("null_count", number),
        ("offset", number),
        ("n_buffers", number),
        ("n_children", number),
        ("buffers", pointer(ctypes.c_void_p)),
        ("children", pointer(pointer(Array))),
        ("dictionary", pointer(Array)),
        ("release", ctypes.CFUNCTYPE(None, pointer(Array))),
        ("private_data", ctypes.c_void_p),
    ]
    Stream._fields_ = [
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, pointer(Stream), pointer(Schema))),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, pointer(Stream), pointer(Array))),
        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, pointer(Stream))),
        ("release", ctypes.CFUNCTYPE(None, pointer(Stream))),
        ("private_data", ctypes.c_void_p),
    ]
    capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    capsule_pointer.restype = ctypes.c_void_p
    capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    _arrow_structures = (Schema, Array, Stream, capsule_pointer, ctypes.byref)
    return _arrow_structures


def _arrow_buffer(array, index, start, size):
    """Bytes of one of its buffers, which has none where there is nothing in it."""
    address = array.buffers[index] if index < array.n_buffers else None
    if not address or size <= 0:
        return b""
    import ctypes

    return ctypes.string_at(address + start, size)


def _arrow_numbers(array, index, code, start, count):
    size = struct.calcsize(code)
    return struct.unpack(f"={count}{code}", _arrow_buffer(array, index, start * size, count * size)) if count > 0 else ()


def _arrow_bits(array, index, start, count):
    first = start // 8
    data = _arrow_buffer(array, index, first, (start + count + 7) // 8 - first)
    return [bool(data[at // 8] >> at % 8 & 1) for at in range(start - first * 8, start - first * 8 + count)]


def _arrow_values(schema, array, start, count, name=""):
    """Values from `start` on of a column, behind its own offset."""
    at = array.offset + start
    found, made = _arrow_found(schema, array, at, count, name)
    has_nothing = array.null_count != 0 and array.n_buffers > 0 and array.buffers[0] and schema.format != b"n"
    if not has_nothing:
        return found if made is None else [made(one) for one in found]
    # Where there is nothing stands anything.
    are_there = _arrow_bits(array, 0, at, count)
    return [None if not is_there else one if made is None else made(one) for one, is_there in zip(found, are_there)]


def _arrow_found(schema, array, at, count, name):
    """What stands there, and what makes values of it where these are not it."""
    format = schema.format.decode()
    if array.dictionary:
        known = array.dictionary.contents
        values = _arrow_values(schema.dictionary.contents, known, 0, known.length, name)
        return _arrow_numbers(array, 1, _ARROW_NUMBERS[format], at, count), values.__getitem__
    if format == "n":
        return [None] * count, None
    if format == "b":
        return _arrow_bits(array, 1, at, count), None
    if format in _ARROW_NUMBERS:
        return list(_arrow_numbers(array, 1, _ARROW_NUMBERS[format], at, count)), None
    if format in ("u", "U", "vu"):
        return _arrow_pieces(format, array, at, count), bytes.decode
    if format in ("z", "Z", "vz"):
        return _arrow_pieces(format, array, at, count), None
    if format[0] == "w":
        size = int(format[2:])
        whole = _arrow_buffer(array, 1, at * size, count * size)
        return [whole[index * size : (index + 1) * size] for index in range(count)], None
    if format[0] == "d":
        return _arrow_decimals(format, array, at, count)
    if format[0] == "t" and format[1] != "i":
        return _arrow_times(format, array, at, count)
    if format[0] == "+" and format[1] in "lLwsm":
        return _arrow_nested(format, schema, array, at, count), None
    which = f"column {name!r}" if name else "a column"
    raise TypeError(f"{which} is of the Arrow type {format!r}, which is not handed over: cast it to a type of values, lists or structures")


def _arrow_pieces(format, array, at, count):
    if format[0] == "v":
        return [_arrow_viewed(array, at + index) for index in range(count)]
    offsets = _arrow_offsets(array, format in "UZ", at, count)
    whole = _arrow_buffer(array, 2, offsets[0], offsets[-1] - offsets[0])
    return [whole[one - offsets[0] : other - offsets[0]] for one, other in zip(offsets, offsets[1:])]


def _arrow_offsets(array, is_large, at, count):
    """One more than there are values; a column without any may have none."""
    return _arrow_numbers(array, 1, "q" if is_large else "i", at, count + 1) if count > 0 else (0,)


def _arrow_viewed(array, index):
    """Short ones are within their view, long ones in one of the other buffers."""
    view = _arrow_buffer(array, 1, index * 16, 16)
    (length,) = struct.unpack_from("=i", view)
    if length <= 12:
        return view[4 : 4 + length]
    buffer, offset = struct.unpack_from("=ii", view, 8)
    return _arrow_buffer(array, 2 + buffer, offset, length)


def _arrow_decimals(format, array, at, count):
    parts = format[2:].split(",")
    size = int(parts[2]) // 8 if len(parts) > 2 else 16
    scale = -int(parts[1])
    whole = _arrow_buffer(array, 1, at * size, count * size)

    def made(index):
        number = int.from_bytes(whole[index * size : (index + 1) * size], sys.byteorder, signed=True)
        return decimal.Decimal((number < 0, tuple(map(int, str(abs(number)))), scale))

    return range(count), made


def _arrow_times(format, array, at, count):
    if format[1] == "d":
        is_short = format == "tdD"
        day = 1 if is_short else 86_400_000

        def made(number):
            return (_NAIVE_EPOCH + datetime.timedelta(days=number // day)).date()

    else:
        is_short = format in ("tts", "ttm")
        unit = _ARROW_UNITS[format[2]]
        # One without a zone is of the local one, as everywhere in Python.
        epoch = EPOCH if format[1] == "s" and format[4:] else _NAIVE_EPOCH

        def made(number):
            span = datetime.timedelta(microseconds=number * 1_000_000 // unit)
            return span if format[1] == "D" else (epoch + span).time() if format[1] == "t" else epoch + span

    return _arrow_numbers(array, 1, "i" if is_short else "q", at, count), made


def _arrow_nested(format, schema, array, at, count):
    kind = format[1]
    children = [(schema.children[index].contents, array.children[index].contents) for index in range(array.n_children)]
    if kind == "s":
        columns = [_arrow_values(one, child, at, count) for one, child in children]
        names = [one.name.decode() for one, _child in children]
        return [dict(zip(names, row)) for row in zip(*columns)] if columns else [{} for _ in range(count)]
    one, child = children[0]
    if kind == "w":
        size = int(format[3:])
        items = _arrow_values(one, child, at * size, count * size)
        return [items[index * size : (index + 1) * size] for index in range(count)]
    offsets = _arrow_offsets(array, kind == "L", at, count)
    first = offsets[0]
    items = _arrow_values(one, child, first, offsets[-1] - first)
    lists = [items[begin - first : end - first] for begin, end in zip(offsets, offsets[1:])]
    # A map is a list of structures with a key and a value.
    return [{key: value for key, value in map(dict.values, entries)} for entries in lists] if kind == "m" else lists


