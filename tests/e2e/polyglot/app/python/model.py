"""Imports of its own folder, plain and out of a package."""

import os

import scale
from tools import text as words


def triple(n):
    return {"n": scale.by(n), "word": words.shout("three")}


def where():
    return os.path.basename(os.path.dirname(__file__))


def fail():
    raise LookupError("not there")
