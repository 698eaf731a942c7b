// SPDX-License-Identifier: BSD-2-Clause
// A circle of diameter 1 in a disk of radius 20, as an O-grid of n x m cells, each two triangles, that grow with the
// radius:
//   gmsh -2 cylinder.geo -o cylinder.msh            (-setnumber n 64 -setnumber m 32 for a finer one)
DefineConstant[ n = {32, Name "cells around"}, m = {16, Name "cells outwards"} ];
inner = 0.5;
outer = 20;
growth = (outer/inner)^(1/m); // the same shape of all cells
Point(1) = {0, 0, 0};
For k In {0 : 3}
  Point(2 + k) = {inner*Cos(k*Pi/2), inner*Sin(k*Pi/2), 0};
  Point(6 + k) = {outer*Cos(k*Pi/2), outer*Sin(k*Pi/2), 0};
EndFor
For k In {0 : 3}
  Circle(1 + k) = {2 + k, 1, 2 + (k + 1)%4};
  Circle(5 + k) = {6 + k, 1, 6 + (k + 1)%4};
  Line(9 + k) = {2 + k, 6 + k};
EndFor
For k In {0 : 3}
  Curve Loop(1 + k) = {9 + k, 5 + k, -(9 + (k + 1)%4), -(1 + k)};
  Plane Surface(1 + k) = {1 + k};
  Transfinite Curve {1 + k, 5 + k} = n/4 + 1;
  Transfinite Curve {9 + k} = m + 1 Using Progression growth;
  Transfinite Surface {1 + k} Alternate;
EndFor
Physical Curve("cylinder") = {1 : 4};
Physical Curve("far") = {5 : 8};
Physical Surface("gas") = {1 : 4};
Mesh.MshFileVersion = 2.2;
