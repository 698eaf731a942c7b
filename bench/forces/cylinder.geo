// SPDX-License-Identifier: BSD-2-Clause
// The upper half of a circular cylinder of radius 1 in a half disk of radius R; n edges around the whole cylinder, m
// layers.
DefineConstant[ n = {32, Name "edges around the cylinder"}, m = {16, Name "layers"},
    R = {20, Name "radius of the outer circle"} ];
Point(1) = {0, 0, 0};
For k In {0:2}
  c = Cos(k*Pi/2); s = Sin(k*Pi/2);
  Point(10 + k) = {c, s, 0};
  Point(20 + k) = {R*c, R*s, 0};
  Line(30 + k) = {10 + k, 20 + k};
EndFor
For k In {0:1}
  Circle(10 + k) = {10 + k, 1, 11 + k};
  Circle(20 + k) = {20 + k, 1, 21 + k};
  Curve Loop(k + 1) = {30 + k, 20 + k, -(31 + k), -(10 + k)};
  Plane Surface(k + 1) = {k + 1};
EndFor
Transfinite Curve {10, 11, 20, 21} = n/4 + 1;
Transfinite Curve {30:32} = m + 1 Using Progression R^(1/m);
Transfinite Surface {1, 2} Alternate;
Physical Curve("cylinder") = {10, 11};
Physical Curve("far") = {20, 21};
Physical Curve("symmetry") = {30, 32};
Physical Surface("gas") = {1, 2};
