// SPDX-License-Identifier: BSD-2-Clause
// A wind tunnel of height 1 and length 3 with a step of height 0.2 at x = 0.6, finer at its corner:
//   gmsh -2 forward-step.geo -o forward-step.msh            (-setnumber h 0.0125 for that of the papers)
DefineConstant[ h = {0.05, Name "mesh size"} ];
Point(1) = {0, 0, 0, h};     Point(2) = {0.6, 0, 0, h};   Point(3) = {0.6, 0.2, 0, h/4};
Point(4) = {3, 0.2, 0, h};   Point(5) = {3, 1, 0, h};     Point(6) = {0, 1, 0, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 1};
Curve Loop(1) = {1 : 6};
Plane Surface(1) = {1};
Physical Curve("inflow") = {6};
Physical Curve("outflow") = {4};
Physical Curve("walls") = {1, 2, 3, 5};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
