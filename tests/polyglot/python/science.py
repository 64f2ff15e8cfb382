"""Real libraries: a model that is trained here, arrays and tables."""

import dataclasses
import datetime
import decimal
import enum
import uuid
from collections import OrderedDict, namedtuple
from pathlib import Path

import numpy as np
import pandas as pd
from pydantic import BaseModel
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

iris = load_iris()
model = LogisticRegression(max_iter=1_000).fit(iris.data, iris.target)


def predict(rows):
    return [str(iris.target_names[index]) for index in model.predict(np.asarray(rows))]


def probabilities(rows):
    return model.predict_proba(np.asarray(rows))


def describe(array):
    return {"kind": type(array).__name__, "dtype": str(array.dtype), "shape": list(array.shape), "sum": float(array.sum())}


def doubled(array):
    return array * 2


def writable(array):
    array[0] = 7
    return array


def arrays():
    base = np.arange(6, dtype="int32").reshape(2, 3)
    return {
        "flat": np.array([1.5, 2.5]),
        "matrix": base,
        "transposed": base.T,
        "strided": np.arange(10, dtype="int16")[::3],
        "big endian": np.array([1, 2], dtype=">i4"),
        "long": np.array([1, 2]),
        "flags": np.array([True, False]),
        "none": np.zeros((0, 3)),
        "words": np.array(["a", "bc"]),
        "halves": np.array([0.5, 1.5], dtype="float16"),
    }


def scalars():
    return [np.float64(1.5), np.float32(0.5), np.int64(7), np.uint8(3), np.bool_(True), np.str_("x")]


def table():
    return pd.DataFrame(
        {
            "n": [1, 2, 3],
            "x": [1.5, None, 2.5],
            "name": ["a", None, "c"],
            "at": pd.to_datetime(["2024-01-02", None, "2024-03-04"], utc=True),
        }
    )


def series():
    return pd.Series([3, 1, 2]).sort_values()


class Colour(enum.Enum):
    RED = "red"
    BLUE = 2


Pair = namedtuple("Pair", ["left", "right"])


@dataclasses.dataclass
class Bird:
    name: str
    age: int
    nested: "Bird | None" = None


class Order(BaseModel):
    id: int
    price: decimal.Decimal
    tags: list[str] = []


class Text(str):
    pass


class Number(int):
    pass


def of_python():
    return {
        "colour": Colour.RED,
        "number of colour": Colour.BLUE,
        "pair": Pair(1, "x"),
        "bird": Bird("fulmar", 3, Bird("chick", 0)),
        "order": Order(id=1, price=decimal.Decimal("1.10"), tags=["a"]),
        "text": Text("t"),
        "number": Number(5),
        "day": datetime.date(2024, 2, 29),
        "time": datetime.time(12, 30),
        "span": datetime.timedelta(minutes=1, milliseconds=500),
        "id": uuid.UUID(int=1),
        "path": Path("a") / "b",
        "ordered": OrderedDict([("z", 1), ("a", 2)]),
        "frozen": frozenset([1]),
        "range": list(range(3)),
        "view": memoryview(b"abc"),
        "array": bytearray(b"xy"),
        "numbers": {1: "one", 2: "two"},
    }


def order(data):
    return Order.model_validate(data)
