"""Waits of meson-helpers/world, and their timeouts."""

import time


class Failure(Exception):
    """A check that cannot go on."""


class Late(Failure):
    """A wait in vain."""


def wait_for(condition, seconds, what):
    """Waits until a condition is true, and returns its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise Late(f"{what} after {seconds} s")
        time.sleep(0.05)
    return value
