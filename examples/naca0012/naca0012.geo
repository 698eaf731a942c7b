// SPDX-License-Identifier: BSD-2-Clause
// The NACA 0012 airfoil, with a sharp trailing edge at x = 1, in a disk of radius 50:
//   gmsh -2 naca0012.geo -o naca0012.msh            (-setnumber h 0.01 for a finer one)
DefineConstant[ h = {0.03, Name "mesh size at the airfoil"} ];
outer = 50;
n = 60;
For k In {0 : n}                                  // from the trailing edge along the upper side to the leading edge
  x = 0.5*(1 + Cos(Pi*k/n));
  y = 0.6*(0.298222773*Sqrt(x) - 0.127125232*x - 0.357907906*x^2 + 0.291984971*x^3 - 0.105174606*x^4);
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
// small at the airfoil and above it, where the shocks are, smaller at its ends; large far away
Field[1] = Distance;
Field[1].PointsList = {1 : n + 1, 102 : 100 + n};
Field[2] = MathEval;
Field[2].F = Sprintf("%g + 0.09*F1 + 0.004*F1*F1", h);
Field[3] = Distance;
Field[3].PointsList = {n + 1};
Field[4] = MathEval;
Field[4].F = Sprintf("%g + 0.25*F3", 0.2*h);      // the nose's radius is 0.016
Field[5] = Distance;
Field[5].PointsList = {1};
Field[6] = MathEval;
Field[6].F = Sprintf("%g + 0.25*F5", 0.4*h);
Field[7] = Min;
Field[7].FieldsList = {2, 4, 6};
Background Field = 7;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Physical Curve("airfoil") = {1, 2};
Physical Curve("far") = {3, 4};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
