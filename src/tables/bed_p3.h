/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 3 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 3 > src/tables/bed_p3.h
 */
#ifndef EWI_TABLES_BED_P3_H
#define EWI_TABLES_BED_P3_H

#define EWI_P3_NB 24

#define EWI_P3_SLOPE_R { \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.d889d01ebf552p+2, -0x1.1367032024074p+2, -0x1.0006d697810aap-5, \
    -0x1.49b55ccdaa23fp+1, -0x1.7910a29b764ap+0, -0x1.08f77331c65dap+3, -0x1.c078fc25aae0cp+2, 0x0p+0, 0x1.8p+2, \
    0x1.bb67ae8584caap+1, -0x1.d889d01ebf552p+2, 0x1.993aee5e08d14p+2, 0x1.08282e66cd24p+3, -0x1.49b55ccdaa23fp+1, \
    -0x1.502a968eab113p+2, -0x1.26e67388441b2p+0, 0x1.7dd15e751c3a4p+0, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, \
    0x1.3e01ddbc5a847p+2, 0x1.993aee5e08d14p+2, 0x1.5d8ad64cd2d7ep+1, -0x1.5174897204975p+3, 0x1.49b08cea0e6fap+0, \
    0x1.34c20fbd59a6ep+1, -0x1.65270594dc004p+1, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.08154ca9bbdabp+4, \
    -0x1.41a419dccb1f6p+4, -0x1.0614b7c860a08p+3, 0x1.b8c7322b47da2p+4, 0x1.35e49e861701ap+5, 0x1.d7fa90bbbfd0bp+4, \
    0x1.3f7f0647d42c5p+3, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.08154ca9bbdabp+4, 0x1.c967d043c6863p+3, \
    0x1.274105ca8445bp+4, 0x1.b8c7322b47da2p+4, -0x1.1c4caab4ccea7p+5, 0x1.8a3e71f155ebfp+3, 0x1.60b75682b32adp+5, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.736628b32eabep+4, 0x1.c967d043c6863p+3, 0x1.61d8956c26e1ap-1, \
    0x1.7609e703f4dc3p+5, 0x1.00aad1054e013p+5, 0x1.dd8c68b904449p+1, -0x1.6e0059568a9aep-3, 0x0p+0, 0x1.8p+2, \
    0x1.bb67ae8584caap+1, -0x1.19137f5c6266dp+2, -0x1.411620f0945d3p+3, -0x1.73b9510de5cb5p+2, -0x1.fe28fbf5fa75ap+2, \
    -0x1.99398d6bd48dep+2, 0x1.0d464a35a7379p+2, 0x1.2ea81c6e5bad3p+2, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, \
    -0x1.0fe0ad628c182p+4, -0x1.411620f0945d3p+3, -0x1.626a2366ba864p-3, 0x1.dbc97a20f8582p+4, 0x1.1ac2633090e6dp+4, \
    -0x1.94fead08cff11p+3, -0x1.60d73d8bb1b93p+3, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.19137f5c6266dp+2, \
    0x1.d6e7e8c7cdae4p+3, 0x1.ab9cd885be637p+3, -0x1.fe28fbf5fa75ap+2, -0x1.eb02820294a96p-2, 0x1.e2982fda3df27p+4, \
    0x1.6caf0713a7e28p+4, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.72c23932b750dp+3, 0x1.d6e7e8c7cdae4p+3, \
    0x1.8de85a4295b1ep+2, 0x1.6fd31881defb5p-1, 0x1.bb984fb74454dp+4, 0x1.a46a956ed63e4p+4, 0x1.150a59953c8b8p+2, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.0fe0ad628c182p+4, 0x1.e6d693daf5f21p+1, 0x1.517358891265bp+3, \
    0x1.dbc97a20f8582p+4, -0x1.b1575efeca66ap+3, -0x1.46da8b5b3760ep+4, 0x1.6b76dce30839p+1, 0x0p+0, 0x1.8p+2, \
    0x1.bb67ae8584caap+1, 0x1.72c23932b750dp+3, 0x1.e6d693daf5f21p+1, -0x1.1e214b52e481bp+1, 0x1.6fd31881defb5p-1, \
    -0x1.2cf03897392c5p+3, -0x1.dcdcf2d3353a6p+2, 0x1.0c0867bc07ad3p-3 }

#define EWI_P3_SLOPE_S { \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.0ba7d67bc993ep+1, -0x1.0928353d64a51p+3, 0x0p+0, \
    -0x1.ae6ebf3588a3bp+2, -0x1.c83549817bb47p+2, -0x1.6104a48863d23p+2, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    0x1.0ba7d67bc993ep+1, 0x1.0928353d64a51p+3, 0x0p+0, -0x1.ae6ebf3588a3bp+2, 0x1.c83549817bb47p+2, \
    -0x1.6104a48863d23p+2, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.993aee5e08d14p+3, 0x0p+0, 0x0p+0, \
    0x1.49b08cea0e6fap+1, 0x0p+0, -0x1.65270594dc004p+2, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    -0x1.73c0c6eb9f714p+2, -0x1.aa4b61aeb495fp+4, 0x0p+0, 0x1.997f3d14a172fp+1, 0x1.12db57c314dacp+4, \
    0x1.b0971814a835ep+5, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.73c0c6eb9f714p+2, 0x1.aa4b61aeb495fp+4, \
    0x0p+0, 0x1.997f3d14a172fp+1, -0x1.12db57c314dacp+4, 0x1.b0971814a835ep+5, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, \
    0x0p+0, 0x1.c967d043c6863p+4, 0x0p+0, 0x0p+0, 0x1.00aad1054e013p+6, 0x0p+0, -0x1.6e0059568a9aep-2, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.2ba38fae72a22p+2, -0x1.32bcc08658a49p+4, 0x0p+0, -0x1.b7e9b58bfdd87p+2, \
    -0x1.9f469d4cd4249p+4, 0x1.b8590e2f3ecddp+4, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.8ec0f7f3adc16p+2, \
    -0x1.56fd0116ad4fcp+3, 0x0p+0, 0x1.085acec4aece1p+2, 0x1.f16cd35b3da15p+2, -0x1.05f98652efaafp+3, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.2ba38fae72a22p+2, 0x1.32bcc08658a49p+4, 0x0p+0, -0x1.b7e9b58bfdd87p+2, \
    0x1.9f469d4cd4249p+4, 0x1.b8590e2f3ecddp+4, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.284ec6df45956p+4, \
    0x1.0e7c7ff603f96p+3, 0x0p+0, 0x1.2520336ba7beap+4, 0x1.0dd0e911d1c67p+5, 0x1.1d6a9cd31cc8fp+2, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, -0x1.8ec0f7f3adc16p+2, 0x1.56fd0116ad4fcp+3, 0x0p+0, 0x1.085acec4aece1p+2, \
    -0x1.f16cd35b3da15p+2, -0x1.05f98652efaafp+3, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.284ec6df45956p+4, \
    -0x1.0e7c7ff603f96p+3, 0x0p+0, 0x1.2520336ba7beap+4, -0x1.0dd0e911d1c67p+5, 0x1.1d6a9cd31cc8fp+2 }

#define EWI_P3_BUCKET { \
    0x1.1a6abdd22ae7p-3, 0x1.1a6abdd22ae7p-3, 0x1.1a6abdd22ae7p-3, 0x1.a0857f40e72e6p-6, 0x1.a0857f40e72e6p-6, \
    0x1.a0857f40e72e6p-6, 0x1.c888f4221a9cfp-5, 0x1.c888f4221a9cfp-5, 0x1.c888f4221a9cfp-5, 0x1.c888f4221a9cfp-5, \
    0x1.c888f4221a9cfp-5, 0x1.c888f4221a9cfp-5, 0x1.4db5b3e0523b6p-7, 0x1.38d0318d2d1fep-6, 0x1.38d0318d2d1fep-6, \
    0x1.4db5b3e0523b6p-7 }

#define EWI_P3_SIDE_SHARE { \
    0x1.dfab0b7d563d9p-5 }

#endif
