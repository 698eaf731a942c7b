// SPDX-License-Identifier: BSD-2-Clause
// A biconvex lens of radii R and height 2 H in an open domain; edges of triangles lie along its surfaces:
//   gmsh -2 lens.geo -o lens.msh
DefineConstant[h = {0.3, Name "size outside"}, R = {2.2}, H = {1.5}];
d = Sqrt(R*R - H*H); // from the centres of the circles to the lens's plane

Point(1) = {-2, -3, 0, h}; Point(2) = {5, -3, 0, h}; Point(3) = {5, 3, 0, h}; Point(4) = {-2, 3, 0, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};

Point(5) = {0, -H, 0, h/1.5}; Point(6) = {0, H, 0, h/1.5};
Point(7) = {d, 0, 0, h}; Point(8) = {-d, 0, 0, h};
Circle(5) = {5, 8, 6}; // the right surface
Circle(6) = {6, 7, 5};

Curve Loop(1) = {1, 2, 3, 4}; Curve Loop(2) = {5, 6};
Plane Surface(1) = {1, 2};
Plane Surface(2) = {2};
Physical Curve("open") = {1, 2, 3, 4};
Physical Surface("domain") = {1, 2};
Mesh.MshFileVersion = 2.2;
