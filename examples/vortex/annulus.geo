// SPDX-License-Identifier: BSD-2-Clause
// A quarter of the ring between r = 1 and r = 1.384; the paper's meshes A to D are here as they are:
//   gmsh -2 annulus.geo -o annulus.msh              (-setnumber h 0.05 for one of about 730 triangles)
DefineConstant[ h = {0.1, Name "mesh size"} ];
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0, h};
Point(3) = {1.384, 0, 0, h};
Point(4) = {0, 1.384, 0, h};
Point(5) = {0, 1, 0, h};
Line(1) = {2, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("inflow") = {3};
Physical Curve("outer") = {2};
Physical Curve("outflow") = {1};
Physical Curve("inner") = {4};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
