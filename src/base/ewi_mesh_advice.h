/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The advice in sentences about meshes: commands for a shell, lines for a .geo script. Sentences take them from here,
 * and tests/io/mesh-advice.sh runs each of them. %.200s is the mesh's file.
 */
#ifndef EWI_MESH_ADVICE_H
#define EWI_MESH_ADVICE_H

#define EWI_ADVICE_LFS "git lfs pull"
#define EWI_ADVICE_SAVE_41 "gmsh %.200s -save -format msh41 -o NEW.msh"
#define EWI_ADVICE_RUN "gmsh crack.geo -"
#define EWI_ADVICE_CRACK "Merge \"%.200s\"; Plugin(Crack).PhysicalGroup = N; Plugin(Crack).Run; Save \"NEW.msh\";"
#define EWI_ADVICE_2D "gmsh -2 NAME.geo -o NAME.msh"
#define EWI_ADVICE_MAKE "gmsh -2 %.*s.geo -o %s"
#define EWI_ADVICE_CONVERT "edgewise mesh convert %.200s -o NEW.msh"
#define EWI_ADVICE_GROUP "Physical Curve(\"wall\") = {1, 2};"
#define EWI_ADVICE_PERIODIC "Periodic Curve {N} = {M} Translate {%g, %g, 0};"
#define EWI_ADVICE_ONE_FILE "Mesh.PartitionSplitMeshFiles = 0;"
#define EWI_ADVICE_ORDER "Mesh.ElementOrder = 2;"
#define EWI_ADVICE_SPLINE "edgewise mesh refine --spline %s"

#endif
