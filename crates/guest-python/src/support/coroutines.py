# Coroutines

_loop = None
_loop_thread = None
_loop_lock = threading.Lock()
_tasks = {}
# Coroutines that run or are to: what waits within one is nowhere in the queue of calls.
_running = 0
RUNNING_MAX = 10_000
_futures = {}
# Of these come odd numbers of 32 bits: threads wait for even ones (`crates/guest/src/callbacks.rs`).
_later_numbers = itertools.count()


def _event_loop():
    global _loop, _loop_thread
    with _loop_lock:
        if _loop is None:
            loop = asyncio.new_event_loop()
            started = threading.Event()

            def run():
                global _loop_thread
                _loop_thread = threading.get_ident()
                asyncio.set_event_loop(loop)
                loop.call_soon(started.set)
                loop.run_forever()

            threading.Thread(target=run, name="python-asyncio", daemon=True).start()
            started.wait()
            _loop = loop
    return _loop


is_awaitable = inspect.isawaitable


def await_later(awaitable, client, call, form):
    """Runs it in the loop of all coroutines, and settles the call when it is done. Returns why it is not run."""
    global _running
    loop = _event_loop()
    with _loop_lock:
        if _running >= RUNNING_MAX:
            if inspect.iscoroutine(awaitable):
                awaitable.close()
            return f"{RUNNING_MAX} coroutines of python run, as many as may: try again later"
        _running += 1

    async def whole():
        try:
            return await awaitable
        except (SystemExit, KeyboardInterrupt) as error:
            # These would end the loop, and with it every other coroutine.
            raise RuntimeError(f"{type(error).__name__} in a coroutine: {error}") from error

    def begin():
        task = loop.create_task(whole())
        _tasks[(client, call)] = task
        task.add_done_callback(done)

    def done(task):
        global _running
        if os.getpid() != _process:
            end_child(None if task.cancelled() else task.exception())
        with _loop_lock:
            _running -= 1
        _tasks.pop((client, call), None)
        if task.cancelled():
            if inspect.iscoroutine(awaitable):
                # It may not have begun.
                awaitable.close()
            native.settle(client, call, form, False, Cancelled())
            return
        error = task.exception()
        if error is None:
            native.settle(client, call, form, True, task.result())
        else:
            native.settle(client, call, form, False, error)

    loop.call_soon_threadsafe(begin)


def cancel_later(client, call):
    """Nobody waits any more for a coroutine; without a call for none of the client's."""

    def cancel():
        keys = [(client, call)] if call is not None else [key for key in _tasks if key[0] == client]
        for key in keys:
            if key in _tasks:
                _tasks[key].cancel()

    if _loop is not None:
        _loop.call_soon_threadsafe(cancel)


def _call_later(client, id, args):
    number = None
    while number is None or number in _futures:
        number = (next(_later_numbers) * 2 + 1) % 2**32
    future = _loop.create_future()
    native.call_later(client, id, args, number)
    # On the loop's thread, as what `answered` does.
    _futures[number] = future
    future.add_done_callback(lambda _: _futures.pop(number, None))
    return future


def answered(number, ok, value):
    """JavaScript has answered a call that a coroutine made."""

    def settle():
        future = _futures.get(number)
        if future is None or future.done():
            return
        if ok:
            future.set_result(value)
        else:
            future.set_exception(_thrown(value))

    if _loop is not None:
        _loop.call_soon_threadsafe(settle)


