"""Tables and columns of Arrow, by two libraries, and the same values as lists of Python's."""

import datetime
import decimal

import polars as pl
import pyarrow as pa

UTC = datetime.timezone.utc
DATES = [datetime.date(2024, 2, 29), None, datetime.date(1969, 12, 31)]
MOMENTS = [datetime.datetime(2024, 1, 2, 3, 4, 5, 6000), None, datetime.datetime(1900, 1, 1)]
PRICES = [decimal.Decimal("1.10"), None, decimal.Decimal("-0.05")]
TEXTS = ["ä", None, "𝄞 longer than twelve bytes"]

COLUMNS = {
    "int8": pa.array([1, None, -3], pa.int8()),
    "uint64": pa.array([2**64 - 1, 0, None], pa.uint64()),
    "int64": pa.array([1, 2, 3]),
    "float64": pa.array([1.5, None, 2.5]),
    "float16": pa.array([0.5, None, 1.5], pa.float16()),
    "bool": pa.array([True, None, False]),
    "string": pa.array(TEXTS),
    "large_string": pa.array(TEXTS, pa.large_string()),
    "string_view": pa.array(TEXTS, pa.string_view()),
    "binary": pa.array([b"a", None, b""], pa.binary()),
    "fixed binary": pa.array([b"ab", None, b"cd"], pa.binary(2)),
    "decimal128": pa.array(PRICES, pa.decimal128(10, 2)),
    "decimal256": pa.array(PRICES, pa.decimal256(50, 2)),
    "date32": pa.array(DATES),
    "date64": pa.array(DATES, pa.date64()),
    "timestamp": pa.array(MOMENTS, pa.timestamp("us")),
    "timestamp with a zone": pa.array([one and one.replace(tzinfo=UTC) for one in MOMENTS], pa.timestamp("ns", "UTC")),
    "time32": pa.array([datetime.time(1, 2, 3), None, datetime.time(0)], pa.time32("s")),
    "time64": pa.array([datetime.time(1, 2, 3, 4), None, datetime.time(0)], pa.time64("us")),
    "duration": pa.array([datetime.timedelta(seconds=1.5), None, datetime.timedelta(days=-1)], pa.duration("ms")),
    "dictionary": pa.array(["a", None, "a"]).dictionary_encode(),
    "list": pa.array([[1, None], None, []]),
    "large_list": pa.array([["x", None], None, []], pa.large_list(pa.string())),
    "fixed list": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int16(), 2)),
    "struct": pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}]),
    "null": pa.nulls(3),
}
MAPS = pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int32()))
table = pa.table(COLUMNS)
frame = pl.DataFrame(
    {
        "number": [1, None, 3],
        "text": TEXTS,
        "category": pl.Series(["p", "q", "p"], dtype=pl.Categorical),
        "day": DATES,
        "list": [[1], [], None],
        "struct": [{"a": 1}, {"a": 2}, None],
        "price": pl.Series(PRICES, dtype=pl.Decimal(10, 2)),
    }
)


def kinds():
    return list(COLUMNS)


def column(kind):
    return COLUMNS[kind]


def sliced(kind):
    return COLUMNS[kind].slice(1)


def chunked(kind):
    return pa.chunked_array([COLUMNS[kind], COLUMNS[kind].slice(2)])


def values(kind, start=0):
    return COLUMNS[kind].to_pylist()[start:]


def whole():
    return table


def as_lists():
    return {kind: values(kind) for kind in COLUMNS}


def chunks():
    return pa.concat_tables([table.slice(2), table.slice(0, 1)])


def batch():
    return table.to_batches()[0].slice(1)


def maps():
    return MAPS


def of_polars():
    return frame


def of_polars_as_lists():
    return frame.to_dict(as_series=False)


def series():
    return frame["struct"][1:]


def nothing():
    return [pa.table({}), pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.list_(pa.string()))})]


def twice():
    return pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])


def interval():
    return pa.table({"when": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})


def far():
    return pa.table({"when": pa.array([10**18], pa.timestamp("s"))})


def rows(table):
    """A table is handed over as a handle, where that is asked for."""
    return table.num_rows


def long():
    return pa.table({"text": [f"text {index}" for index in range(100_000)], "number": pa.array(range(100_000))})
