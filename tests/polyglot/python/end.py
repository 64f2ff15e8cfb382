"""What a process does about Python when it ends."""

import atexit
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
