#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Turns a PNG picture into an ESRI ASCII grid of its brightness, 0 (black) to 1 (white), one value per pixel.

usage: picture.py PICTURE.png XLEFT YBOTTOM WIDTH >GRID.asc

WIDTH is that of the whole picture, in the coordinates of the case; pixels are square. The script needs no packages. It
reads pictures in grey or colour, with or without transparency, of 1 to 16 bits, but no interlaced ones."""
import struct
import sys
import zlib

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}       # grey, RGB, palette, grey and alpha, RGBA


def chunks(data):
    """Yields the name and the bytes of each chunk."""
    at = 8
    while at + 8 <= len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        yield name, data[at + 8:at + 8 + length]
        at += length + 12


def paeth(left, up, corner):
    """Returns the neighbour that is nearest to left + up - corner."""
    return min((left, up, corner), key=lambda value: abs(left + up - corner - value))


def unfilter(raw, height, row_bytes, step):
    """Returns the rows of bytes with PNG's filters undone; step is the number of bytes to the same byte on the left."""
    above = bytes(row_bytes)
    for start in range(0, height * (row_bytes + 1), row_bytes + 1):
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + row_bytes])
        for k in range(row_bytes):
            left, corner = (row[k - step], above[k - step]) if k >= step else (0, 0)
            row[k] = row[k] + (0, left, above[k], (left + above[k]) // 2, paeth(left, above[k], corner))[kind] & 255
        yield row
        above = row


def brightness(path):
    """Returns rows of brightness from the top down."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit(f"picture.py: {path} is not a PNG picture")
    parts = {}
    for name, content in chunks(data):
        parts[name] = parts.get(name, b"") + content
    width, height, bits, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if interlaced:
        sys.exit(f"picture.py: {path} is interlaced; save it without")
    count = CHANNELS[colour]
    rows = unfilter(zlib.decompress(parts[b"IDAT"]), height, (width * count * bits + 7) // 8, max(1, count * bits // 8))
    colours, palette = (1, 3)[colour in (2, 6)], parts.get(b"PLTE") if colour == 3 else None

    def pixel(number, k):
        values = [number >> total - bits * (count * k + c + 1) & (1 << bits) - 1 for c in range(colours)]
        if palette:
            return sum(palette[3 * values[0]:3 * values[0] + 3]) / 765
        return sum(values) / colours / ((1 << bits) - 1)

    total = (width * count * bits + 7) // 8 * 8
    return [[pixel(number, k) for k in range(width)] for number in (int.from_bytes(row, "big") for row in rows)]


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    picture = brightness(sys.argv[1])
    columns = len(picture[0])
    print(f"ncols {columns}\nnrows {len(picture)}\nxllcorner {sys.argv[2]}\nyllcorner {sys.argv[3]}")
    print(f"cellsize {float(sys.argv[4]) / columns!r}")
    for row in picture:
        print(*(f"{value:.4g}" for value in row))


main()
