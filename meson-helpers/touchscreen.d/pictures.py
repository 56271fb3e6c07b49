"""Writes pictures whose pixels tell their place: red is x/width, green y/height, blue the number.

pictures.py HOME writes HOME/Pictures, twelve large pictures, and HOME/Many, 120 small ones for the grid.
"""
import os
import struct
import sys
import zlib

# By the number of a picture modulo 4.
LARGE = [(3000, 2000), (1600, 1200), (1200, 1600), (2400, 1000)]
SMALL = [(600, 400), (400, 300), (300, 400), (600, 250)]


def png(width, height, blue):
    red = bytes(round(x * 255 / (width - 1)) for x in range(width))
    rows = bytearray()
    for y in range(height):
        row = bytearray(3 * width)
        row[0::3] = red
        row[1::3] = bytes([round(y * 255 / (height - 1))]) * width
        row[2::3] = bytes([blue]) * width
        rows += b"\0" + row

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")
    )


def main():
    for folder, sizes, count, step in (("Pictures", LARGE, 12, 8), ("Many", SMALL, 120, 2)):
        path = os.path.join(sys.argv[1], folder)
        os.makedirs(path, exist_ok=True)
        for number in range(1, count + 1):
            with open(os.path.join(path, f"{number:03}.png"), "wb") as file:
                file.write(png(*sizes[number % 4], step * number))


main()
