// SPDX-License-Identifier: BSD-2-Clause
// A NACA 0015 of chord 1 and a slotted flap of the same section, 0.35 long and turned down, with closed trailing edges,
// in a disk of radius 20:
//   gmsh -2 two-element-airfoil.geo -o two-element-airfoil.msh            (-setnumber h 0.02 for a finer one)
DefineConstant[ h = {0.04, Name "mesh size at the airfoil"}, flap = {35, Name "degrees by which the flap is turned"} ];
outer = 20;
n = 40;

// Points first + k from the leading edge to the trailing edge along the upper side, first + 100 + k along the lower.
Macro Section
  For k In {0 : n}
    s = 0.5*(1 - Cos(Pi*k/n));
    t = k == n ? 0 : 0.75*(0.2969*Sqrt(s) - 0.1260*s - 0.3516*s^2 + 0.2843*s^3 - 0.1036*s^4);
    Point(first + k) = {nx + chord*(s*Cos(turn) + t*Sin(turn)), ny + chord*(t*Cos(turn) - s*Sin(turn)), 0};
    If (k > 0 && k < n)
      Point(first + 100 + k) = {nx + chord*(s*Cos(turn) - t*Sin(turn)), ny - chord*(t*Cos(turn) + s*Sin(turn)), 0};
    EndIf
  EndFor
  Spline(first) = {first : first + n};
  Spline(first + 1) = {first, first + 101 : first + 99 + n, first + n};
  Curve Loop(first) = {first, -(first + 1)};
Return

first = 1000; chord = 1; turn = 0; nx = 0; ny = 0;
Call Section;
first = 2000; chord = 0.35; turn = flap*Pi/180; nx = 0.985; ny = -0.035;
Call Section;
Point(1) = {0.5, 0, 0};
Point(2) = {0.5 + outer, 0, 0};
Point(3) = {0.5 - outer, 0, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 2};
Curve Loop(1) = {1, 2};
Plane Surface(1) = {1, 1000, 2000};
// small at the airfoil, smaller at noses, trailing edges and in the slot; large far away
Field[1] = Distance;
Field[1].PointsList = {1000 : 1000 + n, 1101 : 1099 + n, 2000 : 2000 + n, 2101 : 2099 + n};
Field[2] = MathEval;
Field[2].F = Sprintf("%g + 0.15*F1", h);
Field[3] = Distance;
Field[3].PointsList = {1000, 1000 + n, 2000, 2000 + n};
Field[4] = MathEval;
Field[4].F = Sprintf("%g + 0.2*F3", 0.3*h);
Field[5] = Min;
Field[5].FieldsList = {2, 4};
Background Field = 5;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Physical Curve("main") = {1000, 1001};
Physical Curve("flap") = {2000, 2001};
Physical Curve("far") = {1, 2};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
