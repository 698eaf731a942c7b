// SPDX-License-Identifier: BSD-2-Clause
// A channel of height 5 that opens at a corner, as in Zhang, Xia and Shu (2012):
//   gmsh -2 diffraction.geo -o diffraction.msh            (-setnumber h 0.1 for a finer one)
DefineConstant[ h = {0.3, Name "mesh size"} ];
Point(1) = {0, 6, 0, h};   Point(2) = {1, 6, 0, h};    Point(3) = {1, 0, 0, h};
Point(4) = {13, 0, 0, h};  Point(5) = {13, 11, 0, h};  Point(6) = {0, 11, 0, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 1};
Curve Loop(1) = {1 : 6};
Plane Surface(1) = {1};
Physical Curve("wall") = {1, 2};
Physical Curve("bottom") = {3};
Physical Curve("right") = {4};
Physical Curve("top") = {5};
Physical Curve("left") = {6};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
