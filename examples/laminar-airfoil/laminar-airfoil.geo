// SPDX-License-Identifier: BSD-2-Clause
// The NACA 0012 airfoil, closed at the trailing edge, in a disk of radius 50, with small triangles in boundary layers
// and wake:
//   gmsh -2 laminar-airfoil.geo -o laminar-airfoil.msh            (-setnumber h 0.015 for a finer one)
DefineConstant[ h = {0.03, Name "mesh size at the airfoil"} ];
outer = 50;
n = 60;
For k In {0 : n}                                  // from the trailing edge along the upper side to the leading edge
  x = 0.5*(1 + Cos(Pi*k/n));
  y = 0.6*(0.2969*Sqrt(x) - 0.126*x - 0.3516*x^2 + 0.2843*x^3 - 0.1036*x^4);
  If (k == 0)
    y = 0;
  EndIf
  Point(1 + k) = {x, y, 0};
  If (k > 0 && k < n)
    Point(101 + k) = {x, -y, 0};
  EndIf
EndFor
upper[] = {};
lower[] = {};
For k In {0 : n}
  upper[] += {1 + k};
EndFor
lower[] += {n + 1};
For k In {1 : n - 1}
  lower[] += {101 + n - k};
EndFor
lower[] += {1};
Spline(1) = upper[];
Spline(2) = lower[];
Point(300) = {0.5, 0, 0};
Point(301) = {0.5 + outer, 0, 0};
Point(302) = {0.5 - outer, 0, 0};
Circle(3) = {301, 300, 302};
Circle(4) = {302, 300, 301};
Curve Loop(1) = {3, 4};
Curve Loop(2) = {1, 2};
Plane Surface(1) = {1, 2};
Field[1] = Distance;
Field[1].PointsList = {1 : n + 1, 102 : 100 + n};
Field[2] = MathEval;                              // a layer of small triangles, then larger ones
Field[2].F = Sprintf("%g + 0.15*F1 + 0.3*(F1 - 0.1 + Fabs(F1 - 0.1))", h);
Field[3] = Distance;
Field[3].PointsList = {n + 1};
Field[4] = MathEval;
Field[4].F = Sprintf("%g + 0.25*F3", 0.3*h);      // the nose's radius is 0.016
Field[5] = MathEval;                              // the wake
Field[5].F = Sprintf("%g + 0.15*Fabs(x - 1) + 0.4*Fabs(y) + 5*(1 - x + Fabs(1 - x))", h);
Field[6] = Min;
Field[6].FieldsList = {2, 4, 5};
Background Field = 6;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Physical Curve("airfoil") = {1, 2};
Physical Curve("far") = {3, 4};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
