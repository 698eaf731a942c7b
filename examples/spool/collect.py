#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A table of the ramps that are done, from their summary.json; usage: collect.py SPOOL"""
import glob, json, math, os, re, sys

MACH, GAMMA = 2.5, 1.4

def pressure_behind_shock(degrees):
    """Of the weak oblique shock, in front of which it is 1 (Anderson, Modern Compressible Flow, section 4.3)."""
    def deflection(beta):
        normal = (MACH * math.sin(beta)) ** 2
        return math.atan(2 / math.tan(beta) * (normal - 1) / (MACH**2 * (GAMMA + math.cos(2 * beta)) + 2))
    low, high = math.asin(1 / MACH), math.radians(64)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if deflection(middle) < math.radians(degrees) else (low, middle)
    return 1 + 2 * GAMMA / (GAMMA + 1) * ((MACH * math.sin(low)) ** 2 - 1)

def main(spool):
    print("job         elements   steps  run [s]  queue [s]   max p  behind the shock")
    for path in sorted(glob.glob(os.path.join(spool, "done", "wedge-*", "summary.json"))):
        with open(path) as file:
            run = json.load(file)
        job = run["job"]
        angle = int(re.match(r"wedge-(\d+)", job["name"]).group(1))
        print(f"{job['name']:<10}{run['elements']:>10}{run['steps']:>8}{job['run_s']:>9.2f}{job['queue_s']:>11.2f}"
              f"{run['max']['p']:>8.3f}{pressure_behind_shock(angle):>18.3f}")
    for path in sorted(glob.glob(os.path.join(spool, "failed", "wedge-*", "error.txt"))):
        with open(path) as file:
            print(f"{os.path.basename(os.path.dirname(path))} failed: {file.read().strip()}")

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
