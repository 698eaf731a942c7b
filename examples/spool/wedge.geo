// SPDX-License-Identifier: BSD-2-Clause
// A ramp in a supersonic flow:   gmsh -2 -setnumber angle 12 wedge.geo -o wedge.msh
DefineConstant[ angle = {10, Name "angle of the ramp in degrees"}, h = {0.02, Name "mesh size"} ];
rise = 0.8*Tan(angle*Pi/180);
Point(1) = {0, 0, 0, h};    Point(2) = {0.2, 0, 0, h};
Point(3) = {1, rise, 0, h}; Point(4) = {1, 1, 0, h};
Point(5) = {0, 1, 0, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 1};
Curve Loop(1) = {1, 2, 3, 4, 5};
Plane Surface(1) = {1};
Physical Curve("ramp") = {1, 2};
Physical Curve("out") = {3};
Physical Curve("top") = {4};
Physical Curve("in") = {5};
Physical Surface("air") = {1};
Mesh.MshFileVersion = 2.2;
