/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A piston on a spring at the end of a tube of gas. Its motion is this program's, the gas is edgewise's: after each
 * interval the pressure force on the piston moves it, and its speed is the state at the boundary. Waves carry its
 * energy away, so it is a damped oscillator, with damping rho c A for small motions: that is the last column.
 *   c++ piston.cc $(pkg-config --cflags --libs edgewise)
 */
#include <edgewise.h>

#include <cmath>
#include <cstdio>

namespace {

const double gamma = 1.4, density = 1.4, pressure = 1.0, area = 0.1; // the speed of sound is 1
const double mass = 0.1, spring = 1.0, first = 0.01;                 // displacement at t = 0

struct Piston {
    double place, speed;

    // Half a step of the speed, one of the place, half of the speed.
    void move(double force, double dt)
    {
        speed += dt / 2 * (force - spring * place) / mass;
        place += dt * speed;
        speed += dt / 2 * (force - spring * place) / mass;
    }
};

// The gas at a piston that moves at this speed into gas at rest: a simple wave.
void gas(double speed, std::size_t n, double *values)
{
    const double sound = 1 + (gamma - 1) / 2 * speed, expansion = std::pow(sound, 2 / (gamma - 1));
    for (std::size_t i = 0; i < n; i++) {
        values[i] = density * expansion;
        values[n + i] = speed;
        values[2 * n + i] = 0;
        values[3 * n + i] = pressure * expansion * sound * sound;
    }
}

extern "C" void at_piston(void *context, std::size_t n, const double *, const double *, double, double *values)
{
    gas(static_cast<const Piston *>(context)->speed, n, values);
}

extern "C" void at_rest(void *, std::size_t n, const double *, const double *, double, double *values)
{
    gas(0, n, values);
}

double oscillator(double t)
{
    const double decay = density * area / (2 * mass), frequency = std::sqrt(spring / mass - decay * decay);
    return first * std::exp(-decay * t) * (std::cos(frequency * t) + decay / frequency * std::sin(frequency * t));
}

int make_tube(ew_mesh **mesh, ew_error *error)
{
    static const ew_side_part wall = {"wall", 0, 0}, piston = {"piston", 0, 0}, open = {"open", 0, 0};
    ew_side_part side[4] = {wall, open, wall, piston}; // bottom, right, top, left
    ew_rectangle tube = {};
    tube.x1 = 2, tube.y1 = area, tube.nx = 40, tube.ny = 2;
    for (int k = 0; k < 4; k++) {
        side[k].to = k % 2 ? tube.y1 : tube.x1;
        tube.side[k].parts = 1, tube.side[k].part = &side[k];
    }
    return ew_mesh_rectangle(nullptr, &tube, mesh, error);
}

int make_solver(const ew_mesh *mesh, Piston *piston, ew_solver **solver, ew_error *error)
{
    ew_boundary boundary[3] = {};
    boundary[0].name = "wall", boundary[0].kind = "wall";
    boundary[1].name = "open", boundary[1].kind = "far";
    boundary[1].state.callback = at_rest;
    boundary[2].name = "piston", boundary[2].kind = "state";
    boundary[2].state.callback = at_piston, boundary[2].state.context = piston;
    boundary[2].state.variables = EW_T; // it changes: ask for it at every stage
    ew_problem problem = {};
    problem.order = 2;
    problem.initial.callback = at_rest;
    problem.boundaries = 3, problem.boundary = boundary;
    return ew_solver_create(nullptr, mesh, &problem, solver, error);
}

// The number of the piston's boundary.
int32_t number_of_piston(const ew_mesh *mesh)
{
    for (int32_t k = 0;; k++)
        if (ew_mesh_boundary(mesh, k, nullptr)[0] == 'p')
            return k;
}

int couple(ew_mesh *mesh, ew_solver *solver, Piston *piston, ew_error *error)
{
    const double interval = 0.005;
    const int32_t boundary = number_of_piston(mesh);
    for (int k = 1; k <= 300; k++) {
        ew_boundary_integrals integrals;
        int status = ew_solver_boundary(solver, boundary, &integrals, error);
        if (status == EW_OK) {
            piston->move(integrals.force[0] + pressure * area, interval); // outside there is gas at rest
            status = ew_solver_advance(solver, k * interval, INT64_MAX, nullptr, error);
        }
        if (status != EW_OK)
            return status;
        if (k % 60 == 0)
            std::printf("t = %.2f  displacement %+.5f  damped oscillator %+.5f\n", k * interval, piston->place,
                        oscillator(k * interval));
    }
    return EW_OK;
}

} // namespace

int main()
{
    Piston piston = {first, 0};
    ew_mesh *mesh = nullptr;
    ew_solver *solver = nullptr;
    ew_error error;
    int status = make_tube(&mesh, &error);
    if (status == EW_OK)
        status = make_solver(mesh, &piston, &solver, &error);
    if (status == EW_OK)
        status = couple(mesh, solver, &piston, &error);
    if (status != EW_OK)
        std::fprintf(stderr, "%s\n", error.message);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    return status != EW_OK;
}
