# The beginning and the end

def _leave_signals():
    """Signals are JavaScript's: what libraries install for themselves is not, as in any thread but Python's main one."""

    def ignored(number, handler):
        warnings.warn(f"signal {number} stays with JavaScript: process.on('{signal.Signals(number).name}', …)", stacklevel=2)
        return signal.getsignal(number)

    signal.signal = ignored


# Processes that `fork` makes: copies of this one with one thread, of which nobody of JavaScript's knows

_set_signal = signal.signal
_own = threading.local()


def _hold_signals():
    _own.mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def _let_signals():
    signal.pthread_sigmask(signal.SIG_SETMASK, _own.mask)


def _leave_host():
    """In such a process signals do what they do by themselves: handlers of JavaScript's would tell the other one."""
    for number in signal.valid_signals():
        try:
            # Handlers of others it takes for none, or has never seen.
            if signal.getsignal(number) in (None, signal.SIG_DFL):
                _set_signal(number, signal.SIG_DFL)
        except (OSError, ValueError):
            pass
    _let_signals()


def end_child(error):
    """It ends where its call does, as a program would."""
    code = 0
    try:
        if isinstance(error, SystemExit):
            code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
        elif error is not None:
            code = 1
            traceback.print_exception(type(error), error, error.__traceback__)
        _flush_streams()
    finally:
        os._exit(code & 0xFF)



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
    os.register_at_fork(before=_hold_signals, after_in_parent=_let_signals, after_in_child=_leave_host)
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
    _flush_streams()


def _flush_streams():
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


