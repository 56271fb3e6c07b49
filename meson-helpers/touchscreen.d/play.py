"""In the guest: plays the gestures in a compositor. play.py COMPOSITOR GROUP NAME…

Writes COMPOSITOR-GROUP.json and, for each viewer, its trace, record and log.
"""
import sys

from gestures import GROUPS, Clock
from lab import Lab


def main():
    compositor, name, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    group = GROUPS[name]
    lab = Lab(compositor, name)
    lab.session()
    lab.start(name, *group["arguments"])
    for gesture in [Clock] + [gesture for gesture in group["gestures"] if gesture.name in names]:
        lab.gesture(gesture.name, gesture.play)
    for viewer in lab.viewers:
        lab.exits[viewer.name] = viewer.quit()
    lab.save()


main()
