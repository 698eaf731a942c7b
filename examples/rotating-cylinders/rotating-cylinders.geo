// SPDX-License-Identifier: BSD-2-Clause
// A quarter of the ring 1 < r < 2: n cells from circle to circle and 2n along them, each two triangles:
//   gmsh -2 -setnumber n 8 rotating-cylinders.geo -o rotating-cylinders-8.msh
DefineConstant[ n = {4, Name "cells between the circles"} ];
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {0, 1, 0};
Point(4) = {2, 0, 0};
Point(5) = {0, 2, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {4, 1, 5};
Line(3) = {2, 4};
Line(4) = {3, 5};
Curve Loop(1) = {3, 2, -4, -1};
Plane Surface(1) = {1};
Transfinite Curve {1, 2} = 2*n + 1;
Transfinite Curve {3, 4} = n + 1;
Transfinite Surface {1} Alternate;
Physical Curve("inner") = {1};
Physical Curve("outer") = {2};
Physical Curve("sides") = {3, 4};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
