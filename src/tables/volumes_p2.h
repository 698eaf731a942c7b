/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Control volumes of order 2; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -v 2 > src/tables/volumes_p2.h
 */
#ifndef EWI_TABLES_VOLUMES_P2_H
#define EWI_TABLES_VOLUMES_P2_H

#define EWI_P2_FACES 9

#define EWI_P2_CV_AREA { \
    0x1.9dbcc48676f31p-5, 0x1.dbcc48676f312p-4, 0x1.9dbcc48676f31p-5, 0x1.dbcc48676f312p-4, 0x1.dbcc48676f312p-4, \
    0x1.9dbcc48676f31p-5 }

#define EWI_P2_CV_MEAN { \
    0x1.6a09e667f3bcdp+0, -0x1.5bcc48676f312p+0, -0x1.2d33aecb2ee43p+1, 0x1.801975b4a28bep-1, 0x1.5e7f5ff6c31d5p+0, \
    0x1.bb44cc059e80ap+0, 0x1.6a09e667f3bcdp+0, 0x1.339ad07153fbfp-1, -0x1.0a64bdd8d14c3p+0, -0x1.0cc95eeccaae7p+0, \
    -0x1.48ffb07b41ba2p+0, 0x1.cdcd58469b844p-5, 0x1.6a09e667f3bcdp+0, 0x1.5bcc48676f312p+1, 0x0p+0, \
    0x1.2a627d2d7e58fp+1, 0x0p+0, -0x1.2717de43c1b79p-5, 0x1.6a09e667f3bcdp+0, -0x1.339ad07153fbfp+0, 0x0p+0, \
    0x1.bc6f131ea4afp-2, 0x0p+0, -0x1.9a4de5fea3b2dp+0, 0x1.6a09e667f3bcdp+0, 0x1.339ad07153fbfp-1, \
    0x1.0a64bdd8d14c3p+0, -0x1.0cc95eeccaae7p+0, 0x1.48ffb07b41ba2p+0, 0x1.cdcd58469b844p-5, 0x1.6a09e667f3bcdp+0, \
    -0x1.5bcc48676f312p+0, 0x1.2d33aecb2ee43p+1, 0x1.801975b4a28bep-1, -0x1.5e7f5ff6c31d5p+0, 0x1.bb44cc059e80ap+0 }

#define EWI_P2_CV_LIFT { \
    0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, \
    0x1.6a09e667f3bcdp+0, -0x1.a6b0376698bcep+0, 0x1.8792c7758211dp-1, 0x1.a6b0376698bcep+1, -0x1.8792c7758211dp+0, \
    0x1.8792c7758211dp-1, -0x1.a6b0376698bcep+0, -0x1.6e0f107687863p+1, -0x1.531ccb144b26ap+0, 0x0p+0, 0x0p+0, \
    0x1.531ccb144b26ap+0, 0x1.6e0f107687863p+1, 0x1.1c12906505edfp+0, -0x1.bf0c3e1f0e8e9p+0, 0x1.e44a875bb457bp+1, \
    0x1.c3e81d16c9c13p-1, -0x1.bf0c3e1f0e8e9p+0, 0x1.1c12906505edfp+0, 0x1.2866c2efc630dp+1, -0x1.236b05a5c12cap+1, \
    0x0p+0, 0x0p+0, 0x1.236b05a5c12cap+1, -0x1.2866c2efc630dp+1, 0x1.64a1f48aa79dap+1, 0x1.9ce3b2d345453p-3, \
    -0x1.a051ac6c5950bp-3, -0x1.5e69db2ea481ap+1, 0x1.9ce3b2d345453p-3, 0x1.64a1f48aa79dap+1 }

#define EWI_P2_FACE_VOLUME { \
    0, 1, 1, 3, 0, 3, 1, 4, 3, 4, 1, 2, 2, 4, 4, 5, 3, 5 }

#define EWI_P2_VOLUME_FIRST { \
    0, 2, 6, 8, 12, 16, 18 }

#define EWI_P2_VOLUME_END { \
    0, 4, 1, 2, 6, 10, 11, 12, 3, 5, 8, 16, 7, 9, 13, 14, 15, 17 }

#define EWI_P2_FACE_NORMAL { \
    0x1.745d1745d1746p-3, 0x1.890cede62433bp-4, -0x1.364d9364d9365p-3, 0x1.364d9364d9365p-3, 0x1.890cede62433bp-4, \
    0x1.745d1745d1746p-3, 0x1.364d9364d9365p-3, 0x1.364d9364d9365p-2, 0x1.364d9364d9365p-2, 0x1.364d9364d9365p-3, \
    0x1.745d1745d1746p-3, 0x1.5fad40a57eb5p-4, -0x1.890cede62433bp-4, 0x1.5fad40a57eb5p-4, -0x1.5fad40a57eb5p-4, \
    0x1.890cede62433bp-4, 0x1.5fad40a57eb5p-4, 0x1.745d1745d1746p-3 }

#define EWI_P2_FACE_R { \
    0x1.f761669288304p-4, -0x1.a11c3836dd7cp-3, -0x1.6838a9fdf9eddp-3, 0x1.fdf9edc95c144p-4, -0x1.06089e996d77dp-6, \
    -0x1.596179c29d2cep-5, 0x1.a4eecc652f8ebp-5, 0x1.a4eecc652f8ebp-5, 0x1.fdf9edc95c144p-4, -0x1.6838a9fdf9eddp-3, \
    0x1.f77496a784c74p-3, -0x1.b5df3eec2cd25p-4, -0x1.b5df3eec2cd25p-4, 0x1.f77496a784c74p-3, -0x1.a11c3836dd7cp-3, \
    0x1.f761669288304p-4, -0x1.596179c29d2cep-5, -0x1.06089e996d77dp-6 }

#define EWI_P2_FACE_S { \
    -0x1.06089e996d77dp-6, -0x1.596179c29d2cep-5, 0x1.fdf9edc95c144p-4, -0x1.6838a9fdf9eddp-3, 0x1.f761669288304p-4, \
    -0x1.a11c3836dd7cp-3, 0x1.fdf9edc95c144p-4, -0x1.6838a9fdf9eddp-3, 0x1.a4eecc652f8ebp-5, 0x1.a4eecc652f8ebp-5, \
    -0x1.596179c29d2cep-5, -0x1.06089e996d77dp-6, 0x1.f761669288304p-4, -0x1.a11c3836dd7cp-3, 0x1.f77496a784c74p-3, \
    -0x1.b5df3eec2cd25p-4, 0x1.f77496a784c74p-3, -0x1.b5df3eec2cd25p-4 }

#define EWI_P2_FACE_PHI { \
    0x1.6a09e667f3bcdp+0, -0x1.3e0f83e0f83e1p-1, -0x1.04e47061f4462p+1, -0x1.852cda9426b34p-1, -0x1.7cd98eaf5f005p-2, \
    0x1.383efa46cf961p+0, 0x1.6a09e667f3bcdp+0, -0x1.d1745d1745d17p-2, -0x1.9318701c4a2cap-1, -0x1.f215dd4223fffp-1, \
    -0x1.1c3ec7f04b002p-2, -0x1.15cb5f157bc53p+0, 0x1.6a09e667f3bcdp+0, -0x1.745d1745d1746p+0, -0x1.8e9ddaf427378p+0, \
    0x1.bdaf88208bf09p-1, 0x1.0a4afbfc105e7p+0, -0x1.34e92c0890425p-1, 0x1.6a09e667f3bcdp+0, 0x1.d1745d1745d17p-1, \
    0x0p+0, -0x1.4b18e4776f3cap+0, 0x0p+0, -0x1.741bfcd840ef3p-1, 0x1.6a09e667f3bcdp+0, -0x1.d1745d1745d17p-2, \
    0x1.9318701c4a2cap-1, -0x1.f215dd4223fffp-1, 0x1.1c3ec7f04b002p-2, -0x1.15cb5f157bc53p+0, 0x1.6a09e667f3bcdp+0, \
    0x1.09b26c9b26c9bp+1, -0x1.ecac173f0552fp-2, 0x1.c39a94de2adep-2, -0x1.69815fa7e81e8p+0, -0x1.f896279e4e035p-4, \
    0x1.6a09e667f3bcdp+0, 0x1.09b26c9b26c9bp+1, 0x1.ecac173f0552fp-2, 0x1.c39a94de2adep-2, 0x1.69815fa7e81e8p+0, \
    -0x1.f896279e4e035p-4, 0x1.6a09e667f3bcdp+0, -0x1.3e0f83e0f83e1p-1, 0x1.04e47061f4462p+1, -0x1.852cda9426b34p-1, \
    0x1.7cd98eaf5f005p-2, 0x1.383efa46cf961p+0, 0x1.6a09e667f3bcdp+0, -0x1.745d1745d1746p+0, 0x1.8e9ddaf427378p+0, \
    0x1.bdaf88208bf09p-1, -0x1.0a4afbfc105e7p+0, -0x1.34e92c0890425p-1 }

#define EWI_P2_FACE_GRADIENT_R { \
    0x1.8a7e929a54b35p+1, -0x1.3b3824c66bc1bp+0, -0x1.16ca809a4e2c7p-1, 0x1.6132d09f2e5c8p+0, -0x1.f9c5fec67ee5ap-3, \
    -0x1.84e57b3ab6e54p-1, 0x1.16ca809a4e2c7p-1, -0x1.6132d09f2e5c8p+0, 0x1.ec9810ec5572cp+0, -0x1.ec9810ec5572cp+0, \
    0x1.3b3824c66bc1bp+0, -0x1.8a7e929a54b35p+1, 0x1.f9c5fec67ee5ap-3, 0x1.84e57b3ab6e54p-1, -0x1.e3159ca4413c5p-2, \
    0x1.aa1af286bca1bp+1, 0x1.e3159ca4413c5p-2, -0x1.aa1af286bca1bp+1 }

#define EWI_P2_FACE_GRADIENT_S { \
    -0x1.f9c5fec67ee5ap-3, -0x1.84e57b3ab6e54p-1, 0x1.6132d09f2e5c8p+0, -0x1.16ca809a4e2c7p-1, 0x1.8a7e929a54b35p+1, \
    -0x1.3b3824c66bc1bp+0, 0x1.ec9810ec5572cp+0, -0x1.ec9810ec5572cp+0, 0x1.16ca809a4e2c7p-1, -0x1.6132d09f2e5c8p+0, \
    0x1.e3159ca4413c5p-2, -0x1.aa1af286bca1bp+1, 0x1.aa1af286bca1bp+1, -0x1.e3159ca4413c5p-2, 0x1.84e57b3ab6e54p-1, \
    0x1.f9c5fec67ee5ap-3, 0x1.3b3824c66bc1bp+0, -0x1.8a7e929a54b35p+1 }

#define EWI_P2_SIDE_VOLUME { \
    0, 1, 2, 2, 4, 5, 5, 3, 0 }

#define EWI_P2_SIDE_OFFSET_R { \
    0x1.7c10403f69bbfp-8, 0x1.1086ea1390056p-4, 0x1.9e1e3ae836369p-4, 0x1.9e1e3ae836369p-4, 0x1.1086ea1390056p-4, \
    0x1.7c10403f69bbfp-8, -0x1.b5df3eec2cd25p-4, -0x1.1086ea1390056p-3, -0x1.b5df3eec2cd25p-4 }

#define EWI_P2_SIDE_OFFSET_S { \
    -0x1.b5df3eec2cd25p-4, -0x1.1086ea1390056p-3, -0x1.b5df3eec2cd25p-4, 0x1.7c10403f69bbfp-8, 0x1.1086ea1390056p-4, \
    0x1.9e1e3ae836369p-4, 0x1.9e1e3ae836369p-4, 0x1.1086ea1390056p-4, 0x1.7c10403f69bbfp-8 }

#endif
