/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 4 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 4 > src/tables/bed_p4.h
 */
#ifndef EWI_TABLES_BED_P4_H
#define EWI_TABLES_BED_P4_H

#define EWI_P4_NB 31

#define EWI_P4_SLOPE_R { \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.a20bd700c2c3ep+1, 0x1.6a09e667f3bcdp+1, 0x1.d363d1848dcbfp+1, \
    -0x1.2db2eaabf5c8p+3, -0x1.a20bd700c2c3ep+1, -0x1.0dd90273c3ce2p+2, -0x1.3f49c0b9ad4dbp+2, 0x1.94c583ada5b53p+3, \
    -0x1.3797e1030932ap+0, -0x1.c48c6001f0acp+3, -0x1.64f995f90ea79p+3, -0x1.0dd90273c3ce2p+2, 0x0p+0, 0x1.8p+2, \
    0x1.bb67ae8584caap+1, 0x1.73ce3fe2ddc34p+1, 0x1.b0868c4e4febap+3, 0x1.2576b760a9ee1p+3, -0x1.7aede3d77442ep+3, \
    0x1.a314dbab0a966p+3, 0x1.a778582746503p+4, 0x1.2a3857384194p+3, -0x1.dfb0e415bb8f6p+1, -0x1.6ae173ba2851fp+3, \
    0x1.6f43a42e292e8p+4, 0x1.e54602d07d207p+4, 0x1.15d7f36d7f87dp+2, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, \
    0x1.73ce3fe2ddc34p+1, -0x1.41fe3f00b23c1p+1, -0x1.9fb0fd79129bap+1, -0x1.7aede3d77442ep+3, -0x1.bca7e220492e9p+3, \
    -0x1.52ecb4a954f45p+2, 0x1.29b99a92222e1p-3, -0x1.dfb0e415bb8f6p+1, 0x1.15fde9a5ee40dp+0, 0x1.7e36da3d9b5a8p+1, \
    0x1.6a456c0ef8143p+1, 0x1.12c0f7dfa0657p+1, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.f370013200f48p+3, \
    -0x1.41fe3f00b23c1p+1, 0x1.4200ca420a238p+2, 0x1.7ab8bdbbae1f2p+4, 0x1.96e33de97ed1ep-1, -0x1.52d4efd32303bp+4, \
    -0x1.2f177cfc96923p+3, -0x1.83dc107d4f4c9p+4, 0x1.15fde9a5ee40dp+0, 0x1.dd43e12562ee4p+4, 0x1.6a456c0ef8143p+1, \
    -0x1.60f4c837ff2cep+3, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.67ac22812eaabp+3, -0x1.5f711e5c0d60cp+3, \
    -0x1.bd80523a1559bp+1, 0x1.e9685919044efp+2, 0x1.2ddd945acaa54p+3, -0x1.658cf9945ec61p-3, -0x1.b766154b36ef8p+1, \
    0x1.874f4dafd5e87p+2, 0x1.f3f513cb09462p+1, 0x1.5a16a19d62522p+1, 0x1.bf1a2e8b4a736p+3, 0x1.50c2ff03fc53bp+3, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.67ac22812eaabp+3, 0x1.377c459502172p+3, 0x1.92203f8cb66ecp+3, \
    0x1.e9685919044efp+2, -0x1.b685d5191e628p+3, 0x1.b5bd4e21a0d86p+1, 0x1.d80f2a44b604cp+3, 0x1.874f4dafd5e87p+2, \
    0x1.1622cb2fceceap+1, -0x1.6d6a24a5b206ep+3, -0x1.cccb597e720cbp+2, 0x1.60ccad706ae1cp+0, 0x0p+0, 0x1.8p+2, \
    0x1.bb67ae8584caap+1, 0x1.95cf63c1cb427p+3, 0x1.377c459502172p+3, 0x1.de559129ca05p+0, 0x1.d06c497702d8dp+1, \
    0x1.5a69c8ab81c4p+3, 0x1.4de42e7f8a1d6p+2, -0x1.4e6a7cb583719p+0, -0x1.17e1c19360891p+4, 0x1.1622cb2fceceap+1, \
    0x1.beb7742e3a60fp+0, -0x1.cccb597e720cbp+2, -0x1.21404c98395b5p-1, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, \
    -0x1.11e9f63cee47cp+4, -0x1.52ab169269731p+4, -0x1.17aaa914681dap+3, 0x1.e516789f9eb0fp+4, 0x1.59eb9e0119093p+5, \
    0x1.12e2b93a7f9d7p+5, 0x1.86248cfeb65f1p+3, -0x1.46b366456bcc4p+5, -0x1.ef224217427b8p+5, -0x1.d142ca36c59e6p+5, \
    -0x1.1fec3cd7a2dp+5, -0x1.506af015676p+3, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.11e9f63cee47cp+4, \
    0x1.da6eccf964d9ep+3, 0x1.323ebc9a08f3ep+4, 0x1.e516789f9eb0fp+4, -0x1.36e03c86fe92dp+5, 0x1.b1e02dcaaf3a2p+3, \
    0x1.82dcacbf1e06p+5, -0x1.46b366456bcc4p+5, 0x1.e2aa36594ae78p+5, -0x1.7fb5586468515p+5, -0x1.d19b9f651e0cfp-1, \
    0x1.4d933b60cccb3p+6, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.870f7bd993861p+4, 0x1.da6eccf964d9ep+3, \
    0x1.1b80d03c08ed2p-1, 0x1.ac9a7a8165e28p+5, 0x1.1977abaf40344p+5, 0x1.942b48ec1e716p+1, -0x1.d5e4dd949e6f4p-4, \
    0x1.43dfb242d3c2p+6, 0x1.e2aa36594ae78p+5, 0x1.2ef49121d0faep+3, -0x1.d19b9f651e0cfp-1, -0x1.e1c67614ab9b7p-7, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.32f45d8a365e3p+4, -0x1.bdf9df285445bp+3, -0x1.1b9cbf5ad3495p+1, \
    0x1.427ba5b0739d9p+5, 0x1.ef7adc69020f3p+4, -0x1.3e69f9bf90dbfp+2, -0x1.27bdd2ed853eap+3, -0x1.156a385d2beb9p+6, \
    -0x1.b42ef6c411be7p+5, 0x1.f580795fc3471p+3, 0x1.521c1cc3ac4a6p+5, 0x1.13b23d2b117f1p+4, 0x0p+0, 0x1.8p+2, \
    0x1.bb67ae8584caap+1, -0x1.ad3052a84e862p+2, -0x1.bdf9df285445bp+3, -0x1.f2f6cee2a5508p+2, -0x1.fee68adcbb9aep+1, \
    -0x1.91471dcbbd151p-4, 0x1.dac9dee585719p+3, 0x1.630bdc71fe27ap+3, 0x1.f63f5bedee647p+3, 0x1.8061a15b116dp+4, \
    0x1.1c34c79b0dce4p+4, -0x1.2507cdec23ab7p+3, -0x1.95ab29782b6ffp+3, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, \
    -0x1.32f45d8a365e3p+4, 0x1.73b039089941ep+2, 0x1.a280b680ecf9dp+3, 0x1.427ba5b0739d9p+5, -0x1.6245dcf4f4544p+4, \
    -0x1.598ed7c3d5004p+4, 0x1.6f4d0d33dd87bp+3, -0x1.156a385d2beb9p+6, 0x1.6b7b947f67bep+5, 0x1.0683ea6aa6921p+5, \
    -0x1.6499a1d1f3558p+5, -0x1.cd6f93c608a3ep+3, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.017c019400f64p+4, \
    0x1.73b039089941ep+2, -0x1.5963155072e61p+1, 0x1.d2f798c929421p+3, -0x1.a248ee5773081p+2, -0x1.43132d164cea2p+3, \
    0x1.42eafc04c329cp+0, -0x1.bd0011211b62fp+2, -0x1.08e432f232b7p+5, -0x1.bb2bd7efe1aacp+3, 0x1.b62373660efdfp+2, \
    -0x1.c1ae2fe8b2f4p-2, 0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.ad3052a84e862p+2, 0x1.09d497b8ff393p+4, \
    0x1.fbcad24e3be4dp+3, -0x1.fee68adcbb9aep+1, -0x1.b2e8f1fdba8a5p+2, 0x1.2eb7b8f20fe79p+5, 0x1.175d188bc3647p+5, \
    0x1.f63f5bedee647p+3, -0x1.56465eb53fb3dp+4, -0x1.0a3fc5757e7dap+2, 0x1.3e267ca7bef2dp+6, 0x1.bd4f7faff007ep+5, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.017c019400f64p+4, 0x1.09d497b8ff393p+4, 0x1.6b0b1c27a00ebp+2, \
    0x1.d2f798c929421p+3, 0x1.3f02c4333b5ep+5, 0x1.d875453a276a8p+4, 0x1.17760a388a11ep+2, -0x1.bd0011211b62fp+2, \
    0x1.c93c9816fa9b1p+5, 0x1.35d850093d8a8p+6, 0x1.c1ddd2219160fp+4, 0x1.302a1084d1294p+1 }

#define EWI_P4_SLOPE_S { \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.6a09e667f3bcdp+2, 0x0p+0, 0x0p+0, -0x1.a20bd700c2c3ep+2, 0x0p+0, \
    -0x1.3f49c0b9ad4dbp+3, 0x0p+0, -0x1.3797e1030932ap+1, 0x0p+0, -0x1.64f995f90ea79p+4, 0x0p+0, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.6006fc8e235cap+3, 0x1.8d62f6beee95p+3, 0x0p+0, -0x1.99306753e983bp-1, \
    0x1.fc3385519b8d4p+4, 0x1.2edf3da28a1ccp+3, 0x0p+0, -0x1.4821b6856a89dp+3, 0x1.3f7cc8e675c33p+4, \
    0x1.094758292e118p+5, 0x1.18eeeefb5eaa3p+1, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.6006fc8e235cap+3, \
    -0x1.8d62f6beee95p+3, 0x0p+0, -0x1.99306753e983bp-1, -0x1.fc3385519b8d4p+4, 0x1.2edf3da28a1ccp+3, 0x0p+0, \
    -0x1.4821b6856a89dp+3, -0x1.3f7cc8e675c33p+4, 0x1.094758292e118p+5, -0x1.18eeeefb5eaa3p+1, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, -0x1.41fe3f00b23c1p+2, 0x0p+0, 0x0p+0, 0x1.96e33de97ed1ep+0, 0x0p+0, \
    -0x1.2f177cfc96923p+4, 0x0p+0, 0x1.15fde9a5ee40dp+1, 0x0p+0, 0x1.6a456c0ef8143p+2, 0x0p+0, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, -0x1.3fa6c6385a4c8p+0, -0x1.00c02a0d9de29p+4, 0x0p+0, -0x1.1150817ca77a8p+2, \
    -0x1.cc161dbae6c4dp+1, 0x1.6a35a4f1e848ep+3, 0x0p+0, 0x1.850bef7d6c0a6p+2, 0x1.c3efcd0d0a9b7p+3, \
    0x1.b169039822dap+2, 0x1.24a96955eef78p+3, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.3fa6c6385a4c8p+0, \
    0x1.00c02a0d9de29p+4, 0x0p+0, -0x1.1150817ca77a8p+2, 0x1.cc161dbae6c4dp+1, 0x1.6a35a4f1e848ep+3, 0x0p+0, \
    0x1.850bef7d6c0a6p+2, -0x1.c3efcd0d0a9b7p+3, 0x1.b169039822dap+2, -0x1.24a96955eef78p+3, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.377c459502172p+4, 0x0p+0, 0x0p+0, 0x1.5a69c8ab81c4p+4, 0x0p+0, \
    -0x1.4e6a7cb583719p+1, 0x0p+0, 0x1.1622cb2fceceap+2, 0x0p+0, -0x1.cccb597e720cbp+3, 0x0p+0, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, -0x1.95cec056dc189p+2, -0x1.be1411243d02bp+4, 0x0p+0, 0x1.185b0bd0d3b31p+2, \
    0x1.4cd55b8fa79ddp+4, 0x1.e465cffecb9ddp+5, 0x0p+0, -0x1.8f0177bef27f5p+0, -0x1.4635c74975346p+3, \
    -0x1.2732ab5537483p+5, -0x1.77a0996379b73p+6, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.95cec056dc189p+2, \
    0x1.be1411243d02bp+4, 0x0p+0, 0x1.185b0bd0d3b31p+2, -0x1.4cd55b8fa79ddp+4, 0x1.e465cffecb9ddp+5, 0x0p+0, \
    -0x1.8f0177bef27f5p+0, 0x1.4635c74975346p+3, -0x1.2732ab5537483p+5, 0x1.77a0996379b73p+6, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.da6eccf964d9ep+4, 0x0p+0, 0x0p+0, 0x1.1977abaf40344p+6, 0x0p+0, \
    -0x1.d5e4dd949e6f4p-3, 0x0p+0, 0x1.e2aa36594ae78p+6, 0x0p+0, -0x1.d19b9f651e0cfp+0, 0x0p+0, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, -0x1.0421c2a407a4cp+3, -0x1.e967e657a1cc3p+3, 0x0p+0, 0x1.1a69fee81b75ep+3, \
    0x1.09f45953f0c94p+4, 0x1.1e3ce91961241p+1, 0x0p+0, -0x1.22cd8912a802p+3, -0x1.124798256b80ap+4, \
    -0x1.27d850e470b1fp+1, 0x1.fa6a070e15d1p+4, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.56bd4126a8b2ap+1, \
    -0x1.7aa31cdfc7468p+4, 0x0p+0, -0x1.b92e0e74e97eap+2, -0x1.700a82715d165p+4, 0x1.70200fa842ee5p+5, 0x0p+0, \
    0x1.50da152e8dc9ap+1, 0x1.5ec4b8f86d6dap+4, 0x1.198582ea3a7d7p+6, -0x1.115d2506fd71fp+6, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, -0x1.0421c2a407a4cp+3, 0x1.e967e657a1cc3p+3, 0x0p+0, 0x1.1a69fee81b75ep+3, \
    -0x1.09f45953f0c94p+4, 0x1.1e3ce91961241p+1, 0x0p+0, -0x1.22cd8912a802p+3, 0x1.124798256b80ap+4, \
    -0x1.27d850e470b1fp+1, -0x1.fa6a070e15d1p+4, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.66c0a5fb2589ap+4, \
    -0x1.0bde5367ecc0ep+3, 0x0p+0, 0x1.0ab9a6684cfdp+5, -0x1.3cff6de2a6efcp+5, 0x1.6830c939badc5p+2, 0x0p+0, \
    0x1.80b0ca498fc82p+4, -0x1.6d3dcb0739bfdp+6, 0x1.17b3577d8a903p+5, -0x1.685fd681e787cp+1, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.56bd4126a8b2ap+1, 0x1.7aa31cdfc7468p+4, 0x0p+0, -0x1.b92e0e74e97eap+2, \
    0x1.700a82715d165p+4, 0x1.70200fa842ee5p+5, 0x0p+0, 0x1.50da152e8dc9ap+1, -0x1.5ec4b8f86d6dap+4, \
    0x1.198582ea3a7d7p+6, 0x1.115d2506fd71fp+6, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.66c0a5fb2589ap+4, \
    0x1.0bde5367ecc0ep+3, 0x0p+0, 0x1.0ab9a6684cfdp+5, 0x1.3cff6de2a6efcp+5, 0x1.6830c939badc5p+2, 0x0p+0, \
    0x1.80b0ca498fc82p+4, 0x1.6d3dcb0739bfdp+6, 0x1.17b3577d8a903p+5, 0x1.685fd681e787cp+1 }

#define EWI_P4_BUCKET { \
    0x1.1f41946d9f2f8p-3, 0x1.44434e3949b4cp-4, 0x1.44434e3949b4cp-4, 0x1.44434e3949b4cp-4, 0x1.fd3eb92f83dbep-4, \
    0x1.fd3eb92f83dbep-4, 0x1.fd3eb92f83dbep-4, 0x1.09e667389b12p-6, 0x1.09e667389b12p-6, 0x1.09e667389b12p-6, \
    0x1.be243735b23bep-7, 0x1.be243735b23bep-7, 0x1.be243735b23bep-7, 0x1.be243735b23bep-7, 0x1.be243735b23bep-7, \
    0x1.be243735b23bep-7, 0x1.33a585c76b85dp-8, 0x1.36bf243a08332p-7, 0x1.7158f758d6a0ap-7, 0x1.36bf243a08332p-7, \
    0x1.33a585c76b85dp-8 }

#define EWI_P4_SIDE_SHARE { \
    0x1.449f316514a33p-5 }

#endif
