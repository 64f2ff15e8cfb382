"""What a process does about Python when it ends."""

import atexit
import os
import sys
import threading
import time

atexit.register(lambda: print("behind all"))


def write(text):
    sys.stdout.write(text)


def spin():
    while True:
        pass


def sleep(seconds):
    time.sleep(seconds)
    return "slept"


def start_thread():
    threading.Thread(target=spin, daemon=True).start()


def fork():
    import subprocess

    return subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True, check=True).stdout.strip()


def count(n):
    total = 0
    for index in range(n):
        total += index
    return total


def leave():
    sys.exit(4)


async def leave_later():
    sys.exit(5)


async def later():
    return "later"


def take_signal():
    import signal
    import warnings

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        signal.signal(signal.SIGINT, lambda *_: print("taken"))
    return str(told[0].message)


def in_processes():
    import math
    import multiprocessing

    with multiprocessing.Pool(2) as pool:
        return pool.map(math.factorial, [3, 4])


def pid():
    return os.getpid()


def crash():
    os._exit(2)


def end_child():
    import subprocess

    return subprocess.run(["sh", "-c", "kill -TERM $$; sleep 5"]).returncode
