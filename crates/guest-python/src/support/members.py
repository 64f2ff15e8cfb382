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


