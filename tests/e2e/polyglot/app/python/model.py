"""Imports of its own folder, plain and out of a package."""

import os

import scale
from tools import (
    beginnings,  # (of a text)
    text as words,
)


def triple(n):
    return {"n": scale.by(n), "word": words.shout(beginnings.NONE + "three")}


def where():
    return os.path.basename(os.path.dirname(__file__))


def fail():
    raise LookupError("not there")
