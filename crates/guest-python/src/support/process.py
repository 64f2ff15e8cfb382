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


