/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Control volumes of order 3; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -v 3 > src/tables/volumes_p3.h
 */
#ifndef EWI_TABLES_VOLUMES_P3_H
#define EWI_TABLES_VOLUMES_P3_H

#define EWI_P3_FACES 18

#define EWI_P3_CV_AREA { \
    0x1.49394015c33c2p-6, 0x1.c94166b307f63p-5, 0x1.c94166b307f63p-5, 0x1.49394015c33c2p-6, 0x1.c94166b307f63p-5, \
    0x1.ad50dbd695b05p-4, 0x1.c94166b307f63p-5, 0x1.c94166b307f63p-5, 0x1.c94166b307f63p-5, 0x1.49394015c33c2p-6 }

#define EWI_P3_CV_MEAN { \
    0x1.6a09e667f3bcdp+0, -0x1.98527510d6318p+0, -0x1.619e080f1f51fp+1, 0x1.48b78003c3d48p+0, 0x1.206b5e6c1426dp+1, \
    0x1.726a535fcbf7ap+1, -0x1.6c69339c5b177p-1, -0x1.4b7575f731532p+0, -0x1.c066320e26f96p+0, -0x1.fa4fcd681a765p+0, \
    0x1.6a09e667f3bcdp+0, -0x1.f15e314da541p-3, -0x1.d62793ca18717p+0, -0x1.fa43ee47502a9p-1, -0x1.dd80a47f71012p-1, \
    0x1.08900683a5149p+0, 0x1.b542cd5634e1ap-1, 0x1.691c54494595cp+0, 0x1.1ca5c3c9cce14p+0, -0x1.b28e8c1475113p-4, \
    0x1.6a09e667f3bcdp+0, 0x1.b64056ac8014p+0, -0x1.6a78a5e1045ccp-1, -0x1.906ffdbeb9be3p-4, -0x1.b44bd861af35ep+0, \
    0x1.310f000b0a426p-5, -0x1.602e705415a17p+0, -0x1.6f1258ca3da6bp+0, 0x1.d5f687c2602ep-4, 0x1.20de0fa7be0a4p-4, \
    0x1.6a09e667f3bcdp+0, 0x1.98527510d6318p+1, 0x0p+0, 0x1.f1657d7c29dd4p+1, 0x0p+0, -0x1.eeb9c171e0c5ap-7, \
    0x1.83511ee585af4p+1, 0x0p+0, -0x1.47cd942ce001bp-4, 0x0p+0, 0x1.6a09e667f3bcdp+0, -0x1.78149082cb6bep+0, \
    -0x1.20eb40d996431p+0, 0x1.f551563e4ae2dp-1, 0x1.8b170c43ed6aap-1, -0x1.2ab186d7ab83p+0, -0x1.2d848aca56ce2p-2, \
    -0x1.0df4572fbc66dp-2, 0x1.325317bb4445p-1, 0x1.dbacc56a75a34p+0, 0x1.6a09e667f3bcdp+0, 0x0p+0, 0x0p+0, \
    -0x1.1f76d71a97494p+0, 0x0p+0, -0x1.011da605e8f8cp+0, 0x1.1fc38ba1336a7p-1, 0x0p+0, -0x1.41bad1d50777dp+0, 0x0p+0, \
    0x1.6a09e667f3bcdp+0, 0x1.b64056ac8014p+0, 0x1.6a78a5e1045ccp-1, -0x1.906ffdbeb9be3p-4, 0x1.b44bd861af35ep+0, \
    0x1.310f000b0a426p-5, -0x1.602e705415a17p+0, 0x1.6f1258ca3da6bp+0, 0x1.d5f687c2602ep-4, -0x1.20de0fa7be0a4p-4, \
    0x1.6a09e667f3bcdp+0, -0x1.78149082cb6bep+0, 0x1.20eb40d996431p+0, 0x1.f551563e4ae2dp-1, -0x1.8b170c43ed6aap-1, \
    -0x1.2ab186d7ab83p+0, -0x1.2d848aca56ce2p-2, 0x1.0df4572fbc66dp-2, 0x1.325317bb4445p-1, -0x1.dbacc56a75a34p+0, \
    0x1.6a09e667f3bcdp+0, -0x1.f15e314da541p-3, 0x1.d62793ca18717p+0, -0x1.fa43ee47502a9p-1, 0x1.dd80a47f71012p-1, \
    0x1.08900683a5149p+0, 0x1.b542cd5634e1ap-1, -0x1.691c54494595cp+0, 0x1.1ca5c3c9cce14p+0, 0x1.b28e8c1475113p-4, \
    0x1.6a09e667f3bcdp+0, -0x1.98527510d6318p+0, 0x1.619e080f1f51fp+1, 0x1.48b78003c3d48p+0, -0x1.206b5e6c1426dp+1, \
    0x1.726a535fcbf7ap+1, -0x1.6c69339c5b177p-1, 0x1.4b7575f731532p+0, -0x1.c066320e26f96p+0, 0x1.fa4fcd681a765p+0 }

#define EWI_P3_CV_LIFT { \
    0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, \
    0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, \
    -0x1.c30e06ca89b67p+0, -0x1.d3db1cf4b686fp-3, 0x1.f330b8b7cb997p+0, 0x1.c30e06ca89b67p+1, -0x1.b8b5551934c89p+0, \
    0x0p+0, 0x1.f330b8b7cb997p+0, -0x1.b8b5551934c89p+0, -0x1.d3db1cf4b686fp-3, -0x1.c30e06ca89b67p+0, \
    -0x1.869ff9f20055dp+1, -0x1.0f534b5ecd08dp+1, -0x1.b95b61d6b821p-1, 0x0p+0, -0x1.41f8e5d23e011p+0, 0x0p+0, \
    0x1.b95b61d6b821p-1, 0x1.41f8e5d23e011p+0, 0x1.0f534b5ecd08dp+1, 0x1.869ff9f20055dp+1, 0x1.affa89d235279p+0, \
    -0x1.7260ff3ca60dap+0, -0x1.7f48ee7c1dc8dp-4, 0x1.4a7dbacaf1e6ep+2, 0x1.7d2ce8958ef48p+0, -0x1.950e92f4c3e8fp+0, \
    -0x1.7f48ee7c1dc8dp-4, 0x1.7d2ce8958ef48p+0, -0x1.7260ff3ca60dap+0, 0x1.affa89d235279p+0, 0x1.81600beeb8da2p+1, \
    -0x1.5eda7f367d02cp+0, -0x1.456ebca6dd5c2p+1, 0x0p+0, 0x1.2c02fa173db58p+0, 0x0p+0, 0x1.456ebca6dd5c2p+1, \
    -0x1.2c02fa173db58p+0, 0x1.5eda7f367d02cp+0, -0x1.81600beeb8da2p+1, 0x1.ebb272d399594p+1, 0x1.9544de53df4b9p+0, \
    0x1.1f4a6d0a069cfp-4, -0x1.747d701ea2c8p-5, -0x1.b2fe87806be73p+0, -0x1.6a4b3f2054aeap+0, 0x1.1f4a6d0a069cfp-4, \
    -0x1.b2fe87806be73p+0, 0x1.9544de53df4b9p+0, 0x1.ebb272d399594p+1, -0x1.0ae8c39de44d7p+0, 0x1.81a35117a2b4cp+0, \
    -0x1.4abd0f8ffad9fp+1, 0x1.5b215de593accp+2, -0x1.7710ab5a75016p-1, 0x1.49ab425aa8e75p+0, -0x1.4abd0f8ffad9fp+1, \
    -0x1.7710ab5a75016p-1, 0x1.81a35117a2b4cp+0, -0x1.0ae8c39de44d7p+0, -0x1.1eba9f08f28cp+1, 0x1.5453285bef33fp+1, \
    -0x1.6582e3c028fd2p+1, 0x0p+0, -0x1.337a79e4b115dp-1, 0x0p+0, 0x1.6582e3c028fd2p+1, 0x1.337a79e4b115dp-1, \
    -0x1.5453285bef33fp+1, 0x1.1eba9f08f28cp+1, -0x1.b9eadf52d29fdp+1, 0x1.257515dfc809fp+1, 0x1.da85ce100e6a1p-2, \
    -0x1.1f01fbb9f6863p-1, 0x1.4a95c80ee08f6p+0, -0x1.7094c4ad5d386p+1, 0x1.da85ce100e6a1p-2, 0x1.4a95c80ee08f6p+0, \
    0x1.257515dfc809fp+1, -0x1.b9eadf52d29fdp+1, -0x1.b5fc5b22ba115p+1, -0x1.5d492afe1c0f1p-2, 0x1.16871c11d0019p-3, \
    0x0p+0, 0x1.be18616639d9fp+1, 0x0p+0, -0x1.16871c11d0019p-3, -0x1.be18616639d9fp+1, 0x1.5d492afe1c0f1p-2, \
    0x1.b5fc5b22ba115p+1 }

#define EWI_P3_FACE_VOLUME { \
    0, 1, 1, 4, 0, 4, 1, 5, 4, 5, 1, 2, 2, 5, 2, 6, 5, 6, 2, 3, 3, 6, 5, 7, \
    4, 7, 5, 8, 7, 8, 6, 8, 8, 9, 7, 9 }

#define EWI_P3_VOLUME_FIRST { \
    0, 2, 6, 10, 12, 16, 22, 26, 30, 34, 36 }

#define EWI_P3_VOLUME_END { \
    0, 4, 1, 2, 6, 10, 11, 12, 14, 18, 19, 20, 3, 5, 8, 24, 7, 9, 13, 16, 22, 26, 15, 17, \
    21, 30, 23, 25, 28, 34, 27, 29, 31, 32, 33, 35 }

#define EWI_P3_FACE_NORMAL { \
    0x1.d93847fad30d3p-4, 0x1.de5fae0447807p-5, -0x1.c3b6526f3c8e3p-4, 0x1.c3b6526f3c8e3p-4, 0x1.de5fae0447807p-5, \
    0x1.d93847fad30d3p-4, 0x1.c56af386fdbd7p-4, 0x1.bba7c91233badp-3, 0x1.bba7c91233badp-3, 0x1.c56af386fdbd7p-4, \
    0x1.d783a6e311ddfp-4, 0x1.d783a6e311ddfp-5, -0x1.c56af386fdbd7p-4, 0x1.b1e49e9d69b84p-4, 0x1.c3b6526f3c8e3p-4, \
    0x1.c3b6526f3c8e3p-3, 0x1.bba7c91233badp-3, 0x1.b1e49e9d69b84p-4, 0x1.d93847fad30d3p-4, 0x1.d410e1f15e99fp-5, \
    -0x1.de5fae0447807p-5, 0x1.d410e1f15e99fp-5, -0x1.b1e49e9d69b84p-4, 0x1.c56af386fdbd7p-4, 0x1.d783a6e311ddfp-5, \
    0x1.d783a6e311ddfp-4, 0x1.b1e49e9d69b84p-4, 0x1.bba7c91233badp-3, 0x1.c3b6526f3c8e3p-3, 0x1.c3b6526f3c8e3p-4, \
    -0x1.d783a6e311ddfp-5, 0x1.d783a6e311ddfp-5, -0x1.d410e1f15e99fp-5, 0x1.de5fae0447807p-5, 0x1.d410e1f15e99fp-5, \
    0x1.d93847fad30d3p-4 }

#define EWI_P3_FACE_R { \
    0x1.3c56c0fe201cp-4, -0x1.2f5d88b51ca93p-3, -0x1.f477d3b3aceb6p-4, 0x1.509f9d39e51eap-4, -0x1.3eea7402da55ap-7, \
    -0x1.f75ebfec8abc4p-6, 0x1.540cc046e161cp-5, 0x1.0f13ed0e66cc9p-10, 0x1.51b11da9e95a4p-4, -0x1.4c9831d96fe2bp-3, \
    0x1.6d49e8b08ea47p-3, -0x1.2df0e86d0d011p-3, -0x1.fb49dd6a69155p-4, 0x1.4ab0da30cb9p-3, 0x1.47b06cf38f998p-5, \
    0x1.47b06cf38f998p-5, 0x1.4af35106d1e9bp-3, -0x1.fac4efbe5c61fp-4, 0x1.6e4960b2ae00cp-3, -0x1.1479727dc4d15p-4, \
    -0x1.1479727dc4d15p-4, 0x1.6e4960b2ae00cp-3, -0x1.4c5eea38dba1cp-3, 0x1.5223aceb11dc3p-4, -0x1.fac8021c0d1acp-6, \
    -0x1.fac8021c0d1acp-6, 0x1.2624b5a89055dp-11, 0x1.502cb3b5106cbp-5, 0x1.509f9d39e51eap-4, -0x1.f477d3b3aceb6p-4, \
    -0x1.2df0e86d0d011p-3, 0x1.6d49e8b08ea47p-3, -0x1.2f5d88b51ca93p-3, 0x1.3c56c0fe201cp-4, -0x1.f75ebfec8abc4p-6, \
    -0x1.3eea7402da55ap-7 }

#define EWI_P3_FACE_S { \
    -0x1.3eea7402da55ap-7, -0x1.f75ebfec8abc4p-6, 0x1.509f9d39e51eap-4, -0x1.f477d3b3aceb6p-4, 0x1.3c56c0fe201cp-4, \
    -0x1.2f5d88b51ca93p-3, 0x1.51b11da9e95a4p-4, -0x1.4c9831d96fe2bp-3, 0x1.540cc046e161cp-5, 0x1.0f13ed0e66cc9p-10, \
    -0x1.fac8021c0d1acp-6, -0x1.fac8021c0d1acp-6, 0x1.5223aceb11dc3p-4, -0x1.4c5eea38dba1cp-3, 0x1.509f9d39e51eap-4, \
    -0x1.f477d3b3aceb6p-4, 0x1.2624b5a89055dp-11, 0x1.502cb3b5106cbp-5, -0x1.f75ebfec8abc4p-6, -0x1.3eea7402da55ap-7, \
    0x1.3c56c0fe201cp-4, -0x1.2f5d88b51ca93p-3, 0x1.4ab0da30cb9p-3, -0x1.fb49dd6a69155p-4, 0x1.6d49e8b08ea47p-3, \
    -0x1.2df0e86d0d011p-3, 0x1.4af35106d1e9bp-3, -0x1.fac4efbe5c61fp-4, 0x1.47b06cf38f998p-5, 0x1.47b06cf38f998p-5, \
    0x1.6d49e8b08ea47p-3, -0x1.2df0e86d0d011p-3, 0x1.6e4960b2ae00cp-3, -0x1.1479727dc4d15p-4, 0x1.6e4960b2ae00cp-3, \
    -0x1.1479727dc4d15p-4 }

#define EWI_P3_FACE_PHI { \
    0x1.6a09e667f3bcdp+0, -0x1.21b1ecb18a27p+0, -0x1.4800e7a8a6c3dp+1, 0x1.02ff912e82027p-3, 0x1.bc104591fb2f6p-1, \
    0x1.3f0bd0086247ep+1, 0x1.e456574866dbp-1, 0x1.136c2d16472aap+0, 0x1.3512984196bccp-5, -0x1.7fc2cd99b48e6p+0, \
    0x1.6a09e667f3bcdp+0, -0x1.f3b16b1a2b00dp-1, -0x1.b0bf32afca8e9p+0, -0x1.73ade10eaac2bp-3, 0x1.36dedcc63f5fdp-2, \
    0x1.2a5133ccfaa02p-4, 0x1.327d453fd74d8p+0, 0x1.0b0d13fbc0ddp+0, 0x1.0c48d63943e4ap-6, 0x1.97ed61b724fc2p+0, \
    0x1.6a09e667f3bcdp+0, -0x1.a7457280f86d8p+0, -0x1.217181ff32676p+1, 0x1.663517f9534e9p+0, 0x1.f8360a7503c48p+0, \
    0x1.11cce4157fc7dp+0, -0x1.910727e406d4fp-1, -0x1.348abfe5b4766p+0, -0x1.78a15cf0f9603p-1, 0x1.4d2b917649bd6p+0, \
    0x1.6a09e667f3bcdp+0, 0x1.969de3959a32dp-8, -0x1.1f1e467b99ac8p+0, -0x1.5d3ad142e4225p+0, -0x1.d87f9b892fd02p-1, \
    -0x1.689fb5023be3p-2, 0x1.a81364499f2abp-1, 0x1.0dd94b6cdd4b8p+0, -0x1.171d908f22887p-1, 0x1.f3592792d68fbp-1, \
    0x1.6a09e667f3bcdp+0, -0x1.f2e44ac627d41p-1, -0x1.1c5dfe940bd5dp-1, -0x1.79ad5be516869p-3, 0x1.94ecf660d7fa9p-4, \
    -0x1.abd3202a70494p+0, 0x1.32ff5fe57990fp+0, 0x1.5ffb7e178bbd9p-2, -0x1.845ca770ab2e1p-2, 0x1.28f135dc8ee93p+0, \
    0x1.6a09e667f3bcdp+0, 0x1.a79750b56ca66p-1, -0x1.6ed733a8991a2p+0, -0x1.586f152a0e32bp+0, -0x1.30a3c201c816dp+1, \
    0x1.47bfd8ca20307p-1, -0x1.7afbf69422a5fp-1, -0x1.1650263a1708ep-6, 0x1.b2f2058806c0fp+0, -0x1.a921588665a61p-6, \
    0x1.6a09e667f3bcdp+0, 0x1.f00947493158p-1, -0x1.214be0010a0ddp-1, -0x1.3fe1ed741e9c7p+0, -0x1.0521f78616591p+0, \
    -0x1.ebe77e9c81689p-2, -0x1.01469bab3c04ep+0, -0x1.4d8473c5983e8p-3, -0x1.5dd6014984e4fp+0, 0x1.8b5f62caa920ep-2, \
    0x1.6a09e667f3bcdp+0, 0x1.f3b16b1a2b00dp+0, 0x0p+0, 0x1.5a3ede76009bap-3, 0x0p+0, -0x1.46c0bba4fd9ccp-2, \
    -0x1.d06bb5e9ee42p+0, 0x0p+0, -0x1.5491cc560b5f9p+0, 0x0p+0, 0x1.6a09e667f3bcdp+0, 0x1.f06cf98a3ade9p-1, \
    0x1.209a0404d8384p-1, -0x1.3fbb50e19bdffp+0, 0x1.049e19a4df8e7p+0, -0x1.ec9e70aa62363p-2, -0x1.01a078e97ea58p+0, \
    0x1.4e88d328ec439p-3, -0x1.5e786b442c409p+0, -0x1.8a94d7d05db2fp-2, 0x1.6a09e667f3bcdp+0, 0x1.647baf99414a4p+1, \
    -0x1.347b2d4ba2e3ap-2, 0x1.334b36ee5fe6bp+1, -0x1.1a2de7ac062cdp+0, -0x1.9aed15f9d6932p-5, 0x1.1286407def7c8p-2, \
    -0x1.0500e2640c5a9p+1, -0x1.0fcc9e488cdddp-2, 0x1.c63788eee6b0ep-6, 0x1.6a09e667f3bcdp+0, 0x1.647baf99414a4p+1, \
    0x1.347b2d4ba2e3ap-2, 0x1.334b36ee5fe6bp+1, 0x1.1a2de7ac062cdp+0, -0x1.9aed15f9d6932p-5, 0x1.1286407def7c8p-2, \
    0x1.0500e2640c5a9p+1, -0x1.0fcc9e488cdddp-2, -0x1.c63788eee6b0ep-6, 0x1.6a09e667f3bcdp+0, -0x1.f28e5f554972ap-1, \
    0x1.1cee8a1fa8addp-1, -0x1.7c2ffe986ef69p-3, -0x1.9434616a82f9ep-4, -0x1.ab7b9861ebd55p+0, 0x1.3335aae2b7b7dp+0, \
    -0x1.611b04356c4cap-2, -0x1.858fc21075c3bp-2, -0x1.295e9ceb75a06p+0, 0x1.6a09e667f3bcdp+0, -0x1.a79750b56ca66p+0, \
    0x0p+0, 0x1.6719ede3b85f6p+0, 0x0p+0, -0x1.3759ccfcc2fd8p+1, -0x1.9417541b3720ep-1, 0x0p+0, 0x1.ad54d1ab99ae2p+0, \
    0x0p+0, 0x1.6a09e667f3bcdp+0, 0x1.b937107cd880bp-9, 0x1.1f1be9871b9bfp+0, -0x1.5cd6c733f071cp+0, \
    0x1.d6d1e3a4d2dadp-1, -0x1.6a727cf4808fcp-2, 0x1.aa5ebf62b4ed7p-1, -0x1.0e3b0fd531668p+0, -0x1.17d57486cf4d1p-1, \
    -0x1.f4867925c5952p-1, 0x1.6a09e667f3bcdp+0, -0x1.f3b16b1a2b00dp-1, 0x1.b0bf32afca8e9p+0, -0x1.73ade10eaac2bp-3, \
    -0x1.36dedcc63f5fdp-2, 0x1.2a5133ccfaa02p-4, 0x1.327d453fd74d8p+0, -0x1.0b0d13fbc0ddp+0, 0x1.0c48d63943e4ap-6, \
    -0x1.97ed61b724fc2p+0, 0x1.6a09e667f3bcdp+0, 0x1.a79750b56ca66p-1, 0x1.6ed733a8991a2p+0, -0x1.586f152a0e32bp+0, \
    0x1.30a3c201c816dp+1, 0x1.47bfd8ca20307p-1, -0x1.7afbf69422a5fp-1, 0x1.1650263a1708ep-6, 0x1.b2f2058806c0fp+0, \
    0x1.a921588665a61p-6, 0x1.6a09e667f3bcdp+0, -0x1.21b1ecb18a27p+0, 0x1.4800e7a8a6c3dp+1, 0x1.02ff912e82027p-3, \
    -0x1.bc104591fb2f6p-1, 0x1.3f0bd0086247ep+1, 0x1.e456574866dbp-1, -0x1.136c2d16472aap+0, 0x1.3512984196bccp-5, \
    0x1.7fc2cd99b48e6p+0, 0x1.6a09e667f3bcdp+0, -0x1.a7457280f86d8p+0, 0x1.217181ff32676p+1, 0x1.663517f9534e9p+0, \
    -0x1.f8360a7503c48p+0, 0x1.11cce4157fc7dp+0, -0x1.910727e406d4fp-1, 0x1.348abfe5b4766p+0, -0x1.78a15cf0f9603p-1, \
    -0x1.4d2b917649bd6p+0 }

#define EWI_P3_FACE_GRADIENT_R { \
    0x1.1e7a1b537edbfp+2, -0x1.321b3523832bep+0, -0x1.8ded31bdf702bp-1, 0x1.cb4fd9adec228p+0, -0x1.aaefa2267db98p-2, \
    -0x1.0bc45ec262512p-1, 0x1.17a88ff5925c3p-1, -0x1.84d8130222a94p-1, 0x1.455a23fa68ae1p+1, -0x1.3c617b208ep+0, \
    0x1.afd9856f1f879p+0, -0x1.afd9856f1f879p+0, -0x1.17a88ff5925c3p-1, 0x1.84d8130222a94p-1, 0x1.8ded31bdf702bp-1, \
    -0x1.cb4fd9adec228p+0, 0x1.3c617b208ep+0, -0x1.455a23fa68ae1p+1, 0x1.321b3523832bep+0, -0x1.1e7a1b537edbfp+2, \
    0x1.aaefa2267db98p-2, 0x1.0bc45ec262512p-1, -0x1.e7d5c67df2adap-2, 0x1.fedffffa082ep+0, 0x1.caae1a363333ep-2, \
    -0x1.3d2dfee192baap+0, 0x1.e7d5c67df2adap-2, -0x1.fedffffa082ep+0, 0x1.4923394673d1fp+1, -0x1.4923394673d1fp+1, \
    -0x1.caae1a363333ep-2, 0x1.3d2dfee192baap+0, -0x1.58720b84a4069p-1, 0x1.39291575e6b79p+2, 0x1.58720b84a4069p-1, \
    -0x1.39291575e6b79p+2 }

#define EWI_P3_FACE_GRADIENT_S { \
    -0x1.aaefa2267db98p-2, -0x1.0bc45ec262512p-1, 0x1.cb4fd9adec228p+0, -0x1.8ded31bdf702bp-1, 0x1.1e7a1b537edbfp+2, \
    -0x1.321b3523832bep+0, 0x1.455a23fa68ae1p+1, -0x1.3c617b208ep+0, 0x1.17a88ff5925c3p-1, -0x1.84d8130222a94p-1, \
    0x1.caae1a363333ep-2, -0x1.3d2dfee192baap+0, 0x1.fedffffa082ep+0, -0x1.e7d5c67df2adap-2, 0x1.4923394673d1fp+1, \
    -0x1.4923394673d1fp+1, 0x1.e7d5c67df2adap-2, -0x1.fedffffa082ep+0, 0x1.58720b84a4069p-1, -0x1.39291575e6b79p+2, \
    0x1.39291575e6b79p+2, -0x1.58720b84a4069p-1, 0x1.84d8130222a94p-1, -0x1.17a88ff5925c3p-1, 0x1.afd9856f1f879p+0, \
    -0x1.afd9856f1f879p+0, 0x1.3c617b208ep+0, -0x1.455a23fa68ae1p+1, 0x1.8ded31bdf702bp-1, -0x1.cb4fd9adec228p+0, \
    0x1.3d2dfee192baap+0, -0x1.caae1a363333ep-2, 0x1.0bc45ec262512p-1, 0x1.aaefa2267db98p-2, 0x1.321b3523832bep+0, \
    -0x1.1e7a1b537edbfp+2 }

#define EWI_P3_SIDE_VOLUME { \
    0, 1, 2, 3, 3, 6, 8, 9, 9, 7, 4, 0 }

#define EWI_P3_SIDE_OFFSET_R { \
    0x1.fac7912b335cfp-10, 0x1.30597fbc7401ap-5, 0x1.a48e2834a469bp-5, 0x1.0c8e54391803dp-4, 0x1.0c8e54391803dp-4, \
    0x1.a48e2834a469bp-5, 0x1.30597fbc7401ap-5, 0x1.fac7912b335cfp-10, -0x1.1479727dc4d15p-4, -0x1.6a73d3f88c35bp-4, \
    -0x1.6a73d3f88c35bp-4, -0x1.1479727dc4d15p-4 }

#define EWI_P3_SIDE_OFFSET_S { \
    -0x1.1479727dc4d15p-4, -0x1.6a73d3f88c35bp-4, -0x1.6a73d3f88c35bp-4, -0x1.1479727dc4d15p-4, 0x1.fac7912b335cfp-10, \
    0x1.30597fbc7401ap-5, 0x1.a48e2834a469bp-5, 0x1.0c8e54391803dp-4, 0x1.0c8e54391803dp-4, 0x1.a48e2834a469bp-5, \
    0x1.30597fbc7401ap-5, 0x1.fac7912b335cfp-10 }

#endif
