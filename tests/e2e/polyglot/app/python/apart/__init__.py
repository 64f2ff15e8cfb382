"""A package that nothing else imports, and a module of it that is found by its name alone."""

import importlib


def late():
    return importlib.import_module(".late", __name__).WORD
