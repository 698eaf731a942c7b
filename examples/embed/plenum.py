#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A plenum that empties through a channel: its balance of mass is this program's, the flow in the channel edgewise's.

The plenum's density gives the state at the inlet; what has flowed in there is taken from the plenum. The solver
integrates its own flux over time, so the balance closes to rounding, as the last line says.
"""
import edgewise

GAMMA, VOLUME, FIRST = 1.4, 0.5, 1.3  # of the plenum, and its density at t = 0; outside it is 1, p = 1 / GAMMA


class Plenum:
    def __init__(self):
        self.mass = VOLUME * FIRST

    def state(self, x, y, t):
        """At the inlet: the plenum's gas at rest; the flux makes of it what the channel's own state lets in."""
        density = self.mass / VOLUME
        return {"rho": density, "u": 0.0, "v": 0.0, "p": density**GAMMA / GAMMA}


def main():
    plenum = Plenum()
    outside = {"rho": 1, "u": 0, "v": 0, "p": f"1/{GAMMA}"}
    solver = edgewise.Solver({
        "mesh": {"rectangle": {"corners": [0, 0, 2, 0.25], "cells": [32, 4]}}, "order": 2, "time": {"end": 3.0},
        "initial": outside,
        "boundary": {"left": {"kind": "far", "state": plenum.state}, "right": {"kind": "far", **outside},
                     "top": {"kind": "wall"}, "bottom": {"kind": "wall"}},
        "output": {"series": {"fluxes": ["left", "right"]}}})
    dt, first = 0.005, solver.norms()["total"]["rho"]
    for k in range(1, 601):
        solver.advance(k * dt)
        plenum.mass = VOLUME * FIRST + solver.outflow("left")["rho"]  # outwards is into the plenum
        if k % 120 == 0:
            print(f"t = {solver.time:.2f}  density in the plenum {plenum.mass / VOLUME:.4f}")
    given = VOLUME * FIRST - plenum.mass
    lost = given - solver.outflow("right")["rho"] - (solver.norms()["total"]["rho"] - first)
    print(f"the plenum gave {given:.4f}; the balance is open by {abs(lost) / given:.1e} of it")


if __name__ == "__main__":
    main()
