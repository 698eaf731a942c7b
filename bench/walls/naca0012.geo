// SPDX-License-Identifier: BSD-2-Clause
// NACA 0012 with a closed trailing edge, chord 1 from (0, 0) to (1, 0), in a disk of radius R: h is the size on the
// airfoil.
DefineConstant[ h = {0.02, Name "size on the airfoil"}, tip = {0.12, Name "size at the ends, of h"},
    growth = {0.08, Name "of sizes, over the distance"}, R = {50, Name "radius of the outer circle"} ];
N = 200;
For k In {0:N}
  x = 0.5*(1 - Cos(Pi*k/N));
  y = 0.6*(0.2969*Sqrt(x) - 0.1260*x - 0.3516*x^2 + 0.2843*x^3 - 0.1036*x^4);
  If (k == 0)
    Point(1) = {0, 0, 0};
  ElseIf (k == N)
    Point(1 + N) = {1, 0, 0};
  Else
    Point(1 + k) = {x, y, 0};
    Point(1001 + k) = {x, -y, 0};
  EndIf
EndFor
Spline(1) = {1:N + 1};
Spline(2) = {1, 1002:1000 + N, N + 1};
Point(5000) = {0.5, 0, 0};
Point(5001) = {0.5 + R, 0, 0}; Point(5002) = {0.5, R, 0}; Point(5003) = {0.5 - R, 0, 0}; Point(5004) = {0.5, -R, 0};
Circle(11) = {5001, 5000, 5002}; Circle(12) = {5002, 5000, 5003};
    Circle(13) = {5003, 5000, 5004}; Circle(14) = {5004, 5000, 5001};
Curve Loop(1) = {11, 12, 13, 14};
Curve Loop(2) = {1, -2};
Plane Surface(1) = {1, 2};
Field[1] = Distance; Field[1].PointsList = {1:N + 1, 1002:1000 + N};
Field[2] = MathEval; Field[2].F = Sprintf("%g + %g*F1", h, growth);
Field[3] = Distance; Field[3].PointsList = {1, N + 1};
Field[4] = MathEval; Field[4].F = Sprintf("%g + %g*F3", tip*h, growth);
Field[5] = Min; Field[5].FieldsList = {2, 4};
Background Field = 5;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0; Mesh.MeshSizeFromCurvature = 0;
Physical Curve("airfoil") = {1, 2};
Physical Curve("far") = {11:14};
Physical Surface("gas") = {1};
