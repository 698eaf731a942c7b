// SPDX-License-Identifier: BSD-2-Clause
// The ring between a conducting circle of radius 0.5 and an open one of radius 3:
//   gmsh -2 scattering.geo -o scattering.msh            (-setnumber h 0.1 for a finer one)
DefineConstant[ h = {0.2, Name "mesh size"} ];
Point(1) = {0, 0, 0};
For k In {0 : 3}
  Point(2 + k) = {0.5*Cos(k*Pi/2), 0.5*Sin(k*Pi/2), 0, h/2};
  Point(6 + k) = {3*Cos(k*Pi/2), 3*Sin(k*Pi/2), 0, h};
EndFor
For k In {0 : 3}
  Circle(1 + k) = {2 + k, 1, 2 + (k + 1)%4};
  Circle(5 + k) = {6 + k, 1, 6 + (k + 1)%4};
EndFor
Curve Loop(1) = {5 : 8};
Curve Loop(2) = {1 : 4};
Plane Surface(1) = {1, 2};
Physical Curve("conductor") = {1 : 4};
Physical Curve("open") = {5 : 8};
Physical Surface("vacuum") = {1};
Mesh.MshFileVersion = 2.2;
