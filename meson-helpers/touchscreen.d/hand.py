"""Fingers: timelines of touches. A timeline is a list of (ms, "down" | "move" | "up", slot, x, y), and of
(ms, "do", function) for other actions. The reports come at 90 Hz."""
import math

RATE = 90.0


def linear(share):
    return share


def ease(share):
    return share * share * (3 - 2 * share)


def finger(slot, start, end, path, rest=0.0, lands=True, lifts=True):
    """A finger on `path`, a function of 0…1, that stays at its end for `rest` ms."""
    count = max(1, round((end - start) * RATE / 1000))
    events = []
    for number in range(count + 1):
        share = number / count
        kind = "down" if lands and number == 0 else "move"
        events.append((start + (end - start) * share, kind, slot, *path(share)))
    if lifts:
        events.append((end + rest + 1000 / RATE, "up", slot, 0.0, 0.0))
    return events


def line(start, end, law=ease):
    return lambda share: tuple(a + (b - a) * law(share) for a, b in zip(start, end))


def tap(slot, time, point, length=60.0):
    return [(time, "down", slot, *point), (time + length, "up", slot, 0.0, 0.0)]


def around(centre, radii, angles=(0.0, 0.0), end=None, law=ease, phase=0.0):
    """The path of a finger about a centre that goes to `end`; angles in degrees."""
    end = end or centre

    def path(share):
        way = law(share)
        radius = radii[0] * (radii[1] / radii[0]) ** way
        angle = math.radians(phase + angles[0] + (angles[1] - angles[0]) * way)
        return (
            centre[0] + (end[0] - centre[0]) * way + radius * math.cos(angle),
            centre[1] + (end[1] - centre[1]) * way + radius * math.sin(angle),
        )

    return path


def pinch(start, end, centre, radii, angles=(0.0, 0.0), to=None, law=ease, count=2, rest=0.0, lag=0.0, **more):
    """`count` fingers at even angles; the last one lifts `lag` ms after the others."""
    events = []
    for slot in range(count):
        path = around(centre, radii, angles, to, law, 360 * slot / count)
        events += finger(slot, start, end, path, rest + (lag if slot == count - 1 else 0), **more)
    return events
