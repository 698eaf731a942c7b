// SPDX-License-Identifier: BSD-2-Clause
// A circle of diameter 1 in a disk of radius 40, with small triangles at the circle and in its wake:
//   gmsh -2 vortex-street.geo -o vortex-street.msh            (-setnumber h 0.1 for a finer one)
DefineConstant[ h = {0.16, Name "mesh size at the circle"} ];
outer = 40;
Point(1) = {0, 0, 0};
For k In {0 : 3}
  Point(2 + k) = {0.5*Cos(k*Pi/2), 0.5*Sin(k*Pi/2), 0};
  Point(6 + k) = {outer*Cos(k*Pi/2), outer*Sin(k*Pi/2), 0};
EndFor
For k In {0 : 3}
  Circle(1 + k) = {2 + k, 1, 2 + (k + 1)%4};
  Circle(5 + k) = {6 + k, 1, 6 + (k + 1)%4};
EndFor
Curve Loop(1) = {5 : 8};
Curve Loop(2) = {1 : 4};
Plane Surface(1) = {1, 2};
Field[1] = MathEval;                              // grows with the distance from the circle
Field[1].F = Sprintf("%g + 0.3*(Sqrt(x*x + y*y) - 0.5)", h);
Field[2] = MathEval;                              // and, behind it, with that from the axis
Field[2].F = Sprintf("%g + 0.01*Fabs(x) + 0.8*Max(Fabs(y) - 1, 0) + Max(Fabs(x - 8) - 8, 0)", 4*h);
Field[3] = Min;
Field[3].FieldsList = {1, 2};
Background Field = 3;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Physical Curve("cylinder") = {1 : 4};
Physical Curve("far") = {5 : 8};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
