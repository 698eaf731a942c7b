#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# build.sh ARGUMENTS, as root on Debian or Ubuntu: what Dockerfile and edgewise.def do in their first stage. Installs
# what a build needs, configures with the ARGUMENTS, checks the stored bits, and leaves /opt/edgewise: the command and
# all libraries that it needs.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev make pkg-config \
    libconfig-dev libnetcdf-dev libpng-dev zlib1g-dev libhdf5-dev
mkdir "$source/build"
cd "$source/build"
../configure --quiet "$@"
make -s -j"$(nproc)"
make -s check-hashes
make -s bundle
mv edgewise-*-bundle /opt/edgewise
