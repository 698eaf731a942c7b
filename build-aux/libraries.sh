# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# copy_libraries BINARY FOLDER [NAME...]: copies every shared library that BINARY needs, but for the C library's own,
# the GPU driver, and those NAMEs.
copy_libraries()
{
    binary=$1 folder_of_libraries=$2
    shift 2
    ldd "$binary" | awk '$2 == "=>" && $3 ~ "^/" { print $3 }' | while read -r library; do
        case " $* " in *" $(basename "$library") "*) continue ;; esac
        case $(basename "$library") in
        libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | \
            libresolv.so.* | libutil.so.* | ld-linux* | libcuda.so.*) ;;
        *) cp -L "$library" "$folder_of_libraries/" ;;
        esac
    done
    if ldd "$binary" | grep 'not found'; then
        echo "$binary: these libraries are missing" >&2
        exit 1
    fi
}
