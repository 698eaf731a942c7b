/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Basis and quadrature tables of order 2; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate 2 > src/tables/p2.h
 */
#ifndef EWI_TABLES_P2_H
#define EWI_TABLES_P2_H

#define EWI_P2_NP 6
#define EWI_P2_NQ 6
#define EWI_P2_NE 3
#define EWI_P2_NF 25

#define EWI_P2_R { \
    0x1.c8a6b8a0bd0dap-2, 0x1.c8a6b8a0bd0dap-2, 0x1.baca3afa17931p-4, 0x1.77189ea1db0c8p-4, 0x1.77189ea1db0c8p-4, \
    0x1.a239d857893cep-1 }

#define EWI_P2_S { \
    0x1.c8a6b8a0bd0dap-2, 0x1.baca3afa17931p-4, 0x1.c8a6b8a0bd0dap-2, 0x1.77189ea1db0c8p-4, 0x1.a239d857893cep-1, \
    0x1.77189ea1db0c8p-4 }

#define EWI_P2_WEIGHT { \
    0x1.c97c4971907ccp-4, 0x1.c97c4971907ccp-4, 0x1.c97c4971907ccp-4, 0x1.c25cc272345bep-5, 0x1.c25cc272345bep-5, \
    0x1.c25cc272345bep-5 }

#define EWI_P2_PHI { \
    0x1.6a09e667f3bcdp+0, 0x1.59f429e23728ep-1, 0x1.2b9ad0c7d99e9p+0, -0x1.6b00a62dbac1cp+0, 0x1.c33dadbf6fcedp+0, \
    0x1.8d9b2d44b7186p-4, 0x1.6a09e667f3bcdp+0, 0x1.59f429e23728ep-1, -0x1.2b9ad0c7d99e9p+0, -0x1.6b00a62dbac1cp+0, \
    -0x1.c33dadbf6fcedp+0, 0x1.8d9b2d44b7186p-4, 0x1.6a09e667f3bcdp+0, -0x1.59f429e23728ep+0, 0x0p+0, \
    0x1.3c175a727a18cp-1, 0x0p+0, -0x1.16d97ddf84776p+1, 0x1.6a09e667f3bcdp+0, -0x1.7356c4834ddb5p+0, \
    -0x1.4196c58f77697p+1, 0x1.b884e6be37021p-1, 0x1.ab0aef884c781p+0, 0x1.07e560d5e573dp+1, 0x1.6a09e667f3bcdp+0, \
    -0x1.7356c4834ddb5p+0, 0x1.4196c58f77697p+1, 0x1.b884e6be37021p-1, -0x1.ab0aef884c781p+0, 0x1.07e560d5e573dp+1, \
    0x1.6a09e667f3bcdp+0, 0x1.7356c4834ddb5p+1, 0x0p+0, 0x1.64aeda075a245p+1, 0x0p+0, -0x1.7848bea76f5dcp-4 }

#define EWI_P2_DR { \
    0x0p+0, 0x1.571d37152c5d9p-1, 0x1.8c31adfd13425p-2, 0x1.0173664d13f9ap-2, 0x1.6219081b49da6p+0, \
    0x1.eaff888e55f9dp-1, 0x0p+0, 0x1.571d37152c5d9p-1, 0x1.8c31adfd13425p-2, 0x1.0173664d13f9ap-2, \
    -0x1.bdeaf6f8409bep-3, -0x1.1fd6b67f2ea2bp-2, 0x0p+0, 0x1.571d37152c5d9p-1, 0x1.8c31adfd13425p-2, \
    -0x1.98e07c54c9506p+0, -0x1.bdeaf6f8409bep-3, 0x1.175be749b18b7p-1, 0x0p+0, 0x1.51c591d5a744ep-2, \
    0x1.86067569e6428p-3, -0x1.a94cd8ef0ad99p-1, -0x1.f1cd032b88dc9p-1, -0x1.86ca286aa5901p-2, 0x0p+0, \
    0x1.51c591d5a744ep-2, 0x1.86067569e6428p-3, -0x1.a94cd8ef0ad99p-1, 0x1.70521da07e77bp-1, 0x1.db8004172805p-1, \
    0x0p+0, 0x1.51c591d5a744ep-2, 0x1.86067569e6428p-3, 0x1.1f67cb1c87694p+0, 0x1.70521da07e77bp-1, \
    0x1.c3c9e8ed626f8p-5 }

#define EWI_P2_DS { \
    0x0p+0, 0x0p+0, 0x1.8c31adfd13425p-1, 0x0p+0, 0x1.2a5ba93c41c6ep+0, 0x1.3d7571e6f6a59p+0, 0x0p+0, 0x0p+0, \
    0x1.8c31adfd13425p-1, 0x0p+0, 0x1.2a5ba93c41c6ep+0, -0x1.3d7571e6f6a59p+0, 0x0p+0, 0x0p+0, 0x1.8c31adfd13425p-1, \
    0x0p+0, -0x1.bdeaf6f8409bep-2, 0x0p+0, 0x0p+0, 0x0p+0, 0x1.86067569e6428p-2, 0x0p+0, -0x1.02f5cb1614c9cp-2, \
    -0x1.4f728c263d668p+0, 0x0p+0, 0x0p+0, 0x1.86067569e6428p-2, 0x0p+0, -0x1.02f5cb1614c9cp-2, 0x1.4f728c263d668p+0, \
    0x0p+0, 0x0p+0, 0x1.86067569e6428p-2, 0x0p+0, 0x1.70521da07e77bp+0, 0x0p+0 }

#define EWI_P2_PROJECT { \
    0x1.437db87c4cef3p-3, 0x1.351e6a249b025p-4, 0x1.0bb469d2f920ep-3, -0x1.445a328e2c0cp-3, 0x1.9332173fd5631p-3, \
    0x1.634586859cf9ep-7, 0x1.437db87c4cef3p-3, 0x1.351e6a249b025p-4, -0x1.0bb469d2f920ep-3, -0x1.445a328e2c0cp-3, \
    -0x1.9332173fd5631p-3, 0x1.634586859cf9ep-7, 0x1.437db87c4cef3p-3, -0x1.351e6a249b025p-3, 0x0p+0, \
    0x1.1a6f933a8675p-4, 0x0p+0, -0x1.f251a30cb404bp-3, 0x1.3e744ac7456e6p-4, -0x1.46a289556bc6bp-4, \
    -0x1.1adfc6dc740b8p-3, 0x1.837c9dfb4298bp-5, 0x1.77a1faac3b91p-4, 0x1.d040d31857b49p-4, 0x1.3e744ac7456e6p-4, \
    -0x1.46a289556bc6bp-4, 0x1.1adfc6dc740b8p-3, 0x1.837c9dfb4298bp-5, -0x1.77a1faac3b91p-4, 0x1.d040d31857b49p-4, \
    0x1.3e744ac7456e6p-4, 0x1.46a289556bc6bp-3, 0x0p+0, 0x1.39be4c8173913p-3, 0x0p+0, -0x1.4afc1b8ae9e23p-8 }

#define EWI_P2_EDGE_T { \
    0x1.cda042f0236e1p-4, 0x1p-1, 0x1.c64bf7a1fb924p-1 }

#define EWI_P2_EDGE_WEIGHT { \
    0x1.1c71c71c71c72p-2, 0x1.c71c71c71c71cp-2, 0x1.1c71c71c71c72p-2 }

#define EWI_P2_SIDE { \
    0x1.6a09e667f3bcdp+0, -0x1.52e3e6e5f2b6cp+0, -0x1.896eb9e541f87p+1, 0x1.1aafe294ba98dp-1, 0x1.a4a6a2f74c6acp+0, \
    0x1.13fb420ebf8a6p+2, 0x1.6a09e667f3bcdp+0, 0x1p+0, -0x1.bb67ae8584caap+0, -0x1.3988e1409212ep+0, \
    -0x1.974b2334f2346p+1, 0x1.5e8add236a58fp+0, 0x1.6a09e667f3bcdp+0, 0x1.a971f372f95b6p+1, -0x1.8fc7a5021691ep-2, \
    0x1.1632e4edfabfdp+2, -0x1.a4a6a2f74c6acp+0, 0x1.1cf550322f31ep-4, 0x1.6a09e667f3bcdp+0, 0x1.a971f372f95b6p+1, \
    0x1.8fc7a5021691ep-2, 0x1.1632e4edfabfdp+2, 0x1.a4a6a2f74c6acp+0, 0x1.1cf550322f31ep-4, 0x1.6a09e667f3bcdp+0, \
    0x1p+0, 0x1.bb67ae8584caap+0, -0x1.3988e1409212ep+0, 0x1.974b2334f2346p+1, 0x1.5e8add236a58fp+0, \
    0x1.6a09e667f3bcdp+0, -0x1.52e3e6e5f2b6cp+0, 0x1.896eb9e541f87p+1, 0x1.1aafe294ba98dp-1, -0x1.a4a6a2f74c6acp+0, \
    0x1.13fb420ebf8a6p+2, 0x1.6a09e667f3bcdp+0, -0x1p+1, 0x1.5775c544ff263p+1, 0x1.3988e1409212ep+1, \
    -0x1.a4a6a2f74c6acp+1, 0x1.186f174f88472p+1, 0x1.6a09e667f3bcdp+0, -0x1p+1, 0x0p+0, 0x1.3988e1409212ep+1, 0x0p+0, \
    -0x1.5e8add236a58fp+1, 0x1.6a09e667f3bcdp+0, -0x1p+1, -0x1.5775c544ff263p+1, 0x1.3988e1409212ep+1, \
    0x1.a4a6a2f74c6acp+1, 0x1.186f174f88472p+1 }

#define EWI_P2_VERTEX { \
    0x1.6a09e667f3bcdp+0, -0x1p+1, -0x1.bb67ae8584caap+1, 0x1.3988e1409212ep+1, 0x1.0f876ccdf6cd9p+2, \
    0x1.5e8add236a58fp+2, 0x1.6a09e667f3bcdp+0, 0x1p+2, 0x0p+0, 0x1.d64d51e0db1c6p+2, 0x0p+0, 0x0p+0, \
    0x1.6a09e667f3bcdp+0, -0x1p+1, 0x1.bb67ae8584caap+1, 0x1.3988e1409212ep+1, -0x1.0f876ccdf6cd9p+2, \
    0x1.5e8add236a58fp+2 }

#define EWI_P2_FINE_R { \
    0x1.461f52430616bp-5, 0x1.461f52430616bp-5, 0x1.461f52430616bp-5, 0x1.461f52430616bp-5, 0x1.461f52430616bp-5, \
    0x1.95880f0f7d9a1p-3, 0x1.95880f0f7d9a1p-3, 0x1.95880f0f7d9a1p-3, 0x1.95880f0f7d9a1p-3, 0x1.95880f0f7d9a1p-3, \
    0x1.c07c77f9eff4p-2, 0x1.c07c77f9eff4p-2, 0x1.c07c77f9eff4p-2, 0x1.c07c77f9eff4p-2, 0x1.c07c77f9eff4p-2, \
    0x1.6413e4ab2e381p-1, 0x1.6413e4ab2e381p-1, 0x1.6413e4ab2e381p-1, 0x1.6413e4ab2e381p-1, 0x1.6413e4ab2e381p-1, \
    0x1.cd8ccf29f891bp-1, 0x1.cd8ccf29f891bp-1, 0x1.cd8ccf29f891bp-1, 0x1.cd8ccf29f891bp-1, 0x1.cd8ccf29f891bp-1 }

#define EWI_P2_FINE_S { \
    0x1.70fd2a49e6018p-5, 0x1.c5cb018c2a3bdp-3, 0x1.eb9e0adbcf9e9p-2, 0x1.7a2b4a78c50fap-1, 0x1.d48e3837313e8p-1, \
    0x1.34317c0e9e3c5p-5, 0x1.7b065a405e101p-3, 0x1.9a9dfc3c20998p-2, 0x1.3bdc65ac09158p-1, 0x1.875ae47b36b5cp-1, \
    0x1.aff555f3a86aap-6, 0x1.099e05f73b1d9p-3, 0x1.1fc1c4030806p-2, 0x1.bab4850a727d4p-2, 0x1.124219536ac2bp-1, \
    0x1.d41deddcf9568p-7, 0x1.1fda087dc165cp-4, 0x1.37d836a9a38ffp-3, 0x1.dfc36914666dp-3, 0x1.2937473abbc54p-2, \
    0x1.2eed21ca40e0ap-8, 0x1.748c1c47a6283p-6, 0x1.939986b03b729p-5, 0x1.36767f9e51e88p-4, 0x1.80aab49397648p-4 }

#define EWI_P2_FINE_WEIGHT { \
    0x1.77b01093fb27fp-7, 0x1.7b7934ae3ef93p-6, 0x1.c308ef47bda7ep-6, 0x1.7b7934ae3ef93p-6, 0x1.77b01093fb27fp-7, \
    0x1.44785858483b2p-6, 0x1.47bd5cdd9b80ep-5, 0x1.858b8e5740e3cp-5, 0x1.47bd5cdd9b80ep-5, 0x1.44785858483b2p-6, \
    0x1.1c1f8cbf1c168p-6, 0x1.1efc7ca472503p-5, 0x1.551b3d3ad55a3p-5, 0x1.1efc7ca472503p-5, 0x1.1c1f8cbf1c168p-6, \
    0x1.1ee67352e2ddcp-7, 0x1.21ca8d174d4b5p-6, 0x1.5870b774aab7p-6, 0x1.21ca8d174d4b5p-6, 0x1.1ee67352e2ddcp-7, \
    0x1.e90b162ed1d05p-10, 0x1.edf8a50f4380ep-9, 0x1.258ff9b326531p-8, 0x1.edf8a50f4380ep-9, 0x1.e90b162ed1d05p-10 }

#define EWI_P2_FINE_PHI { \
    0x1.6a09e667f3bcdp+0, -0x1.c2da20936edbcp+0, -0x1.81cf13a9e2751p+1, 0x1.b54c8a709c67ap+0, 0x1.7a76944f4c373p+1, \
    0x1.d8fb1ace054p+1, 0x1.6a09e667f3bcdp+0, -0x1.c2da20936edbcp+0, -0x1.ca828daaa785fp+0, 0x1.b54c8a709c67ap+0, \
    0x1.c1c7b2d804b24p+0, -0x1.50826bea50078p-2, 0x1.6a09e667f3bcdp+0, -0x1.c2da20936edbcp+0, 0x0p+0, \
    0x1.b54c8a709c67ap+0, 0x0p+0, -0x1.433019fc8c6f5p+1, 0x1.6a09e667f3bcdp+0, -0x1.c2da20936edbcp+0, \
    0x1.ca828daaa785fp+0, 0x1.b54c8a709c67ap+0, -0x1.c1c7b2d804b24p+0, -0x1.50826bea50078p-2, 0x1.6a09e667f3bcdp+0, \
    -0x1.c2da20936edbcp+0, 0x1.81cf13a9e2751p+1, 0x1.b54c8a709c67ap+0, -0x1.7a76944f4c373p+1, 0x1.d8fb1ace054p+1, \
    0x1.6a09e667f3bcdp+0, -0x1.9fb3e968c398fp-1, -0x1.423df14200358p+1, -0x1.e19ffa4bcbd9ap-2, 0x1.f5c7f0414395bp-6, \
    0x1.49f6266f9bee1p+1, 0x1.6a09e667f3bcdp+0, -0x1.9fb3e968c398fp-1, -0x1.7ef6f0ea39a86p+0, -0x1.e19ffa4bcbd9ap-2, \
    0x1.2a2af69c145d8p-6, -0x1.d583273a1f6f1p-3, 0x1.6a09e667f3bcdp+0, -0x1.9fb3e968c398fp-1, 0x0p+0, \
    -0x1.e19ffa4bcbd9ap-2, 0x0p+0, -0x1.c2ecedf9f6f2ap+0, 0x1.6a09e667f3bcdp+0, -0x1.9fb3e968c398fp-1, \
    0x1.7ef6f0ea39a86p+0, -0x1.e19ffa4bcbd9ap-2, -0x1.2a2af69c145d8p-6, -0x1.d583273a1f6f1p-3, 0x1.6a09e667f3bcdp+0, \
    -0x1.9fb3e968c398fp-1, 0x1.423df14200358p+1, -0x1.e19ffa4bcbd9ap-2, -0x1.f5c7f0414395bp-6, 0x1.49f6266f9bee1p+1, \
    0x1.6a09e667f3bcdp+0, 0x1.417567edcfdbfp-1, -0x1.c3a611741ffc9p+0, -0x1.6f32e0da9be54p+0, -0x1.491790d117c0fp+1, \
    0x1.4417ffe51f31bp+0, 0x1.6a09e667f3bcdp+0, 0x1.417567edcfdbfp-1, -0x1.0c60d5554ee95p+0, -0x1.6f32e0da9be54p+0, \
    -0x1.871b03836280dp+0, -0x1.cd29b28847b9dp-4, 0x1.6a09e667f3bcdp+0, 0x1.417567edcfdbfp-1, 0x0p+0, \
    -0x1.6f32e0da9be54p+0, 0x0p+0, -0x1.bae8171ae8112p-1, 0x1.6a09e667f3bcdp+0, 0x1.417567edcfdbfp-1, \
    0x1.0c60d5554ee95p+0, -0x1.6f32e0da9be54p+0, 0x1.871b03836280dp+0, -0x1.cd29b28847b9dp-4, 0x1.6a09e667f3bcdp+0, \
    0x1.417567edcfdbfp-1, 0x1.c3a611741ffc9p+0, -0x1.6f32e0da9be54p+0, 0x1.491790d117c0fp+1, 0x1.4417ffe51f31bp+0, \
    0x1.6a09e667f3bcdp+0, 0x1.161dd700c5541p+1, -0x1.e9749d109d323p-1, 0x1.565e7a4083dbdp-1, -0x1.73433ab5e3179p+1, \
    0x1.7c9f9cbd7b4ap-2, 0x1.6a09e667f3bcdp+0, 0x1.161dd700c5541p+1, -0x1.22d8025978b8fp-1, 0x1.565e7a4083dbdp-1, \
    -0x1.b938fdc67d37fp+0, -0x1.0ecce5f39f571p-5, 0x1.6a09e667f3bcdp+0, 0x1.161dd700c5541p+1, 0x0p+0, \
    0x1.565e7a4083dbdp-1, 0x0p+0, -0x1.04147fff45876p-2, 0x1.6a09e667f3bcdp+0, 0x1.161dd700c5541p+1, \
    0x1.22d8025978b8fp-1, 0x1.565e7a4083dbdp-1, 0x1.b938fdc67d37fp+0, -0x1.0ecce5f39f571p-5, 0x1.6a09e667f3bcdp+0, \
    0x1.161dd700c5541p+1, 0x1.e9749d109d323p-1, 0x1.565e7a4083dbdp-1, 0x1.73433ab5e3179p+1, 0x1.7c9f9cbd7b4ap-2, \
    0x1.6a09e667f3bcdp+0, 0x1.b45336bef4da8p+1, -0x1.3cbc206834994p-2, 0x1.2c2867271ccbbp+2, -0x1.5423cb0af2c5fp+0, \
    0x1.3ec7a4900d714p-5, 0x1.6a09e667f3bcdp+0, 0x1.b45336bef4da8p+1, -0x1.786b76588e21ap-3, 0x1.2c2867271ccbbp+2, \
    -0x1.943c2fd69b62p-1, -0x1.c59a0116c182fp-9, 0x1.6a09e667f3bcdp+0, 0x1.b45336bef4da8p+1, 0x0p+0, \
    0x1.2c2867271ccbbp+2, 0x0p+0, -0x1.b3a506bdf205ap-6, 0x1.6a09e667f3bcdp+0, 0x1.b45336bef4da8p+1, \
    0x1.786b76588e21ap-3, 0x1.2c2867271ccbbp+2, 0x1.943c2fd69b62p-1, -0x1.c59a0116c182fp-9, 0x1.6a09e667f3bcdp+0, \
    0x1.b45336bef4da8p+1, 0x1.3cbc206834994p-2, 0x1.2c2867271ccbbp+2, 0x1.5423cb0af2c5fp+0, 0x1.3ec7a4900d714p-5 }

#define EWI_P2_NORM { \
    0x1.6a09e667f3bcdp+0, 0x1p+1, 0x1.bb67ae8584caap+1, 0x1.3988e1409212ep+1, 0x1.0f876ccdf6cd9p+2, \
    0x1.5e8add236a58fp+2 }

#endif
