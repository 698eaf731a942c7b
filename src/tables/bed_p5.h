/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 5 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 5 > src/tables/bed_p5.h
 */
#ifndef EWI_TABLES_BED_P5_H
#define EWI_TABLES_BED_P5_H

#define EWI_P5_NB 43

#define EWI_P5_SLOPE_R { \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.a20bd700c2c3ep+1, 0x1.6a09e667f3bcdp+1, 0x1.d363d1848dcbfp+1, \
    -0x1.2db2eaabf5c8p+3, -0x1.a20bd700c2c3ep+1, -0x1.0dd90273c3ce2p+2, -0x1.3f49c0b9ad4dbp+2, 0x1.94c583ada5b53p+3, \
    -0x1.3797e1030932ap+0, -0x1.c48c6001f0acp+3, -0x1.64f995f90ea79p+3, -0x1.0dd90273c3ce2p+2, 0x1.1f6462e4c31b1p+2, \
    0x1.e38e38e38e38ep+1, 0x1.25c5e0a41f5d6p+3, -0x1.5b98cb56e5d1p+1, -0x1.ecac173f0552fp+1, 0x1.1055b6e104eebp+2, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.0c50c8dec86bep+2, 0x1.f7e5a8508edf2p+3, 0x1.4a51e06be8cfdp+3, \
    -0x1.6503d2b2ddf11p+3, 0x1.36482aea25e84p+4, 0x1.24b8ebcea4bbap+5, 0x1.c063895c94799p+3, -0x1.e155885a4fd94p+2, \
    -0x1.0a91cd17cdf05p+3, 0x1.78f9d7e747d24p+5, 0x1.c8a78803155bcp+5, 0x1.9d518f6281e59p+3, 0x1.0ac4e749070d1p+4, \
    -0x1.e72d19a28e3e9p+4, 0x1.61ff9d1450344p+2, 0x1.69e451827a8fcp+6, 0x1.f436f1d5ee54bp+5, 0x1.215d92c8acfaep+3, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.0c50c8dec86bep+2, -0x1.d0bc770530232p+1, -0x1.2bfc6558a6823p+2, \
    -0x1.6503d2b2ddf11p+3, -0x1.22c0ff826b3fcp+4, -0x1.3f52e8c613661p+2, 0x1.bb3bb0cbbedc7p+1, -0x1.e155885a4fd94p+2, \
    -0x1.43feccca32327p+1, 0x1.b9f580516b4ep+3, 0x1.186f67777f511p+3, -0x1.851bbfa9870e4p+0, 0x1.0ac4e749070d1p+4, \
    0x1.bd2d0408106aep+4, 0x1.7223826624856p+4, 0x1.4235d799cbcdap-1, -0x1.8827f00d9017p+2, 0x1.91601950ae692p-5, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.22ecd50fad3f6p+4, -0x1.d0bc770530232p+1, 0x1.546e5ec7a9946p+2, \
    0x1.1aa58c04ac54ep+5, 0x1.a4f957665b4c8p+1, -0x1.9c780318ec01fp+4, -0x1.52c6a59c6624bp+3, -0x1.b51b3de6a6271p+5, \
    -0x1.43feccca32327p+1, 0x1.92a4ed48f96c4p+5, 0x1.186f67777f511p+3, -0x1.a116b9ecbe32bp+3, 0x1.20d439d8ca959p+6, \
    0x1.78ec93edd8653p+0, -0x1.28a42a22ce1f5p+6, -0x1.85141bf0aecedp+2, 0x1.7f09e199f4355p+5, 0x1.3297ed965ebf5p+4, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.c77021db2009bp+3, -0x1.02a80930cca8p+4, -0x1.8a0fb5c8d75d2p+2, \
    0x1.21dde37be6e94p+4, 0x1.80c1afd1316adp+4, 0x1.c1c8c8ec2fb1p+3, 0x1.7df6f55292504p+1, -0x1.80eff3428517bp+3, \
    -0x1.27ec974b2c2c1p+4, -0x1.b0c7ec30493ddp+3, 0x1.8b7c25283804fp+1, 0x1.88c2eeb9b584p+2, -0x1.1caed39f431c8p+2, \
    -0x1.05fba9b8b5581p+1, 0x1.3e6d19e26979ep+1, -0x1.3e9b53e171fcbp+2, -0x1.74302e7480616p+4, -0x1.f546c6ac343dap+3, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.c77021db2009bp+3, 0x1.8a6bbf97c80ecp+3, 0x1.fd31f778165cep+3, \
    0x1.21dde37be6e94p+4, -0x1.8a7ca476fb261p+4, 0x1.0343c3b691461p+3, 0x1.dd5ef6f2896b1p+4, -0x1.80eff3428517bp+3, \
    0x1.6e789c89ea3f3p+4, -0x1.6a5c1528de906p+4, -0x1.d05dfd8db573ep+1, 0x1.eea23c61aa671p+4, -0x1.1caed39f431c8p+2, \
    -0x1.f5343030755dap+1, 0x1.3ca6e4c95fbf5p+4, -0x1.0575b747d32b4p+4, -0x1.1b772f482e229p+4, 0x1.61d44518b5bb9p+3, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.2aabb13ad7004p+4, 0x1.8a6bbf97c80ecp+3, 0x1.3306047dfd54cp+0, \
    0x1.8c5ed5fa5fd2cp+4, 0x1.5bdcd4fe7861bp+4, 0x1.4802823784214p+2, -0x1.138c4b559adddp-1, 0x1.3168ba8c9a543p+3, \
    0x1.6e789c89ea3f3p+4, 0x1.2c3421a5186abp+3, -0x1.d05dfd8db573ep+1, -0x1.31f41f2a3b68cp-3, -0x1.6e3e827174d0dp+4, \
    0x1.68563d603caf9p+3, 0x1.736d529b6ba3dp+2, -0x1.8f4845b56062fp+3, -0x1.24cf9525c91ap+0, 0x1.95a8fdcee44f4p-5, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.94eb31eef6dc9p+3, -0x1.984078f03fa85p+2, 0x1.6f84b78d1cacep-1, \
    0x1.8a27e8bef94b3p+3, 0x1.744a78b225e66p+2, -0x1.8d2796c8c85f2p+3, -0x1.348a72e94837bp+3, -0x1.1b5302e4ae6cap+0, \
    -0x1.989d870daaabep-4, 0x1.5f62ce5dab721p+3, 0x1.d0a4cf547d4d6p+3, 0x1.3ba9ddcf2fc2cp+2, -0x1.088018a27d185p+4, \
    -0x1.0f63b23121831p+3, 0x1.baeac3d8de15bp+1, -0x1.8cdf5722b97cap-1, 0x1.2e794cceab1e9p+3, 0x1.5e44795137b75p+3, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.20a3fa53fa9d1p+2, -0x1.984078f03fa85p+2, -0x1.764b0828f1655p+1, \
    -0x1.f3350c6fb7e5ep+2, -0x1.544d42658b978p+2, -0x1.b506ccfe6294bp+1, -0x1.2d2910c23ce1cp+1, 0x1.d0ec8baadec53p+3, \
    0x1.e1b174151f326p+3, 0x1.358946fbe9743p+1, 0x1.266c675b5ca85p+2, 0x1.868fcff0a947p+2, -0x1.3a91a1f0130ccp+0, \
    -0x1.f82d645e17408p+1, 0x1.fb54c4c64399p+0, 0x1.ef27f19b8ff69p+3, 0x1.5d0640d45e7a9p+2, -0x1.18d7d7697d782p+2, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.94eb31eef6dc9p+3, 0x1.f3f0a8ef0986cp+1, 0x1.15e5ec94aed2cp+3, \
    0x1.8a27e8bef94b3p+3, -0x1.118e09f54682p+3, -0x1.8f862d77a480ep+3, -0x1.332a4e973b6c4p-2, -0x1.1b5302e4ae6cap+0, \
    0x1.789ddf29d1fcdp+2, 0x1.586f4ad17e024p+2, -0x1.194b5892e6223p+4, -0x1.f7fea75bf651dp+3, -0x1.088018a27d185p+4, \
    0x1.a91e943a5b546p+1, 0x1.418671b6538c6p+3, 0x1.351f4029785f2p+3, -0x1.9a8d8ec074b3dp+1, -0x1.51aa0b71ba77ep+3, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.d7689bb0c4305p+2, 0x1.f3f0a8ef0986cp+1, -0x1.131c3573aad5ep-2, \
    -0x1.ede8acdb6b659p+2, -0x1.56231ef1b247bp+2, -0x1.c33e55178b5f5p+1, -0x1.32c4841f07359p+1, -0x1.e98564d38431cp+3, \
    -0x1.2893bf8e51895p+3, -0x1.61384ddbb439fp+3, -0x1.ea502afdfa967p+2, 0x1.3817c9ea26f3cp+0, 0x1.a1588eb6c57f8p+2, \
    0x1.320e0388f7cdcp+2, -0x1.a8a533d43b26p+3, -0x1.43de41ff713fp+2, 0x1.9f442f05bfad9p+2, 0x1.b6418c9a3d085p-2, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.20a3fa53fa9d1p+2, 0x1.5eab7f0a54401p+3, 0x1.502b735635e4dp+3, \
    -0x1.f3350c6fb7e5ep+2, -0x1.946669144af7p+0, 0x1.d02b7d23eaacfp+3, 0x1.4b0bedc4a5a61p+3, 0x1.d0ec8baadec53p+3, \
    -0x1.f1c35f203cfd7p+3, -0x1.9ebfc74e22246p+2, 0x1.6753b78e4491ap+3, 0x1.d1b2cc4f53a84p-1, -0x1.3a91a1f0130ccp+0, \
    0x1.5c90498c264b2p+3, -0x1.573a0b4afd5cbp+3, -0x1.dd6671a411f74p+3, -0x1.04114eff69fd5p+3, -0x1.17b26f1669e3bp+3, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.d7689bb0c4305p+2, 0x1.5eab7f0a54401p+3, 0x1.4c6f6531efbf1p+2, \
    -0x1.ede8acdb6b659p+2, 0x1.983b8ae5bcbe3p+3, 0x1.cefc31cc7c9c1p+3, 0x1.eb3f078e4b4c4p-1, -0x1.e98564d38431cp+3, \
    -0x1.9c15ffa04eb6ap-2, 0x1.5a06f6c90fd8bp+3, 0x1.4f28df3bacc39p+0, -0x1.04e8425078c05p+1, 0x1.a1588eb6c57f8p+2, \
    -0x1.fcd77c8dac7b8p+3, -0x1.335f34b81e658p+3, -0x1.a9746c7da95a4p+2, -0x1.7174f8b8470f7p+3, -0x1.588a3c19f75ccp+0, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.25ef9d984ac73p+4, -0x1.bdbf4ff81f89ap+3, -0x1.497aea88b495fp+1, \
    0x1.21fa4b5d5970ap+5, 0x1.d54a67cee53fep+4, -0x1.97aca723a8322p+1, -0x1.062d73384def3p+3, -0x1.ca2f57b09f6f3p+5, \
    -0x1.7cedb7608a0a3p+5, 0x1.56ea595cc51fbp+3, 0x1.2e3d777cfed74p+5, 0x1.0ee70fedc64adp+4, 0x1.37e3d19d84c9ap+6, \
    0x1.07136bea3007cp+6, -0x1.2cbb10e9cf7d4p+4, -0x1.171d236e345aap+6, -0x1.52a245e06b34ap+5, -0x1.888a8c4a3c9ccp+2, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.e0bc15c562dc6p+2, -0x1.bdbf4ff81f89ap+3, -0x1.db8ec3a15c5a2p+2, \
    -0x1.25d0c827c7b2cp+1, 0x1.2758b597cb05fp+1, 0x1.c1a8abe4ee07ep+3, 0x1.2fee44363751cp+3, 0x1.e972d44fab1e9p+3, \
    0x1.57b2fd180834ep+4, 0x1.9eaeccf04e63cp+3, -0x1.dd1aef160fbe8p+2, -0x1.1dbff5778340fp+3, -0x1.db5811c1e8f65p+3, \
    -0x1.ae754e532f61p+4, -0x1.06b95cc14561fp+5, -0x1.88c997aab84fep+4, -0x1.d6461bb00d329p-1, 0x1.8bb2b6b0c06e8p+2, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.25ef9d984ac73p+4, 0x1.a0541689f32f9p+2, 0x1.a825cdd6b8946p+3, \
    0x1.21fa4b5d5970ap+5, -0x1.6580833a275cap+4, -0x1.2436a9cc52c04p+4, 0x1.9c8dd7e83b176p+3, -0x1.ca2f57b09f6f3p+5, \
    0x1.4ed231a67d838p+5, 0x1.76f8a5404e7a4p+4, -0x1.4ed02d8e14b49p+5, -0x1.63ef49c7a8538p+3, 0x1.37e3d19d84c9ap+6, \
    -0x1.eeb4f3fc79e7ep+5, -0x1.be67679324ef3p+4, 0x1.236a22afe09a9p+6, -0x1.40cb9ee853d98p+4, -0x1.3a1369d9d2006p+5, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.015a32695a74dp+4, 0x1.a0541689f32f9p+2, -0x1.13c226a186671p+1, \
    0x1.d201c81042de8p+3, -0x1.c42700d3d3634p+1, -0x1.121a92d2ab262p+3, 0x1.27991b28979d2p-1, -0x1.bf90ff6d0ed1ep+2, \
    -0x1.b3ea088c21424p+4, -0x1.c002e80edd72cp+3, 0x1.b10a7d1ac1a8p+1, 0x1.4c0f28314370dp-6, -0x1.e590e45197dc2p+4, \
    -0x1.411f942629418p+5, -0x1.9a7bf69db8ec5p+2, 0x1.31c3bb913097p+3, 0x1.5856e5e4303eep-5, -0x1.89b37fd42b6ap-4, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.e0bc15c562dc6p+2, 0x1.fd1cb1811cbf7p+3, 0x1.f5da216df9183p+3, \
    -0x1.25d0c827c7b2cp+1, -0x1.1fc101539a7e1p+3, 0x1.0b938b5c38af3p+5, 0x1.0a4c1e5172d25p+5, 0x1.e972d44fab1e9p+3, \
    -0x1.1de8093269f1cp+4, -0x1.336f8450d9608p+3, 0x1.0743b2fbffb8bp+6, 0x1.8e52158aeaf8ap+5, -0x1.db5811c1e8f65p+3, \
    0x1.e1af09e8b6c85p+4, -0x1.1b0a056a6fbc7p+5, -0x1.8ced2b8df53b9p+2, 0x1.b52daa4890929p+6, 0x1.de08c4432a903p+5, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.015a32695a74dp+4, 0x1.fd1cb1811cbf7p+3, 0x1.4858e23abfe33p+2, \
    0x1.d201c81042de8p+3, 0x1.26bd39c8e5c83p+5, 0x1.9e868c4482816p+4, 0x1.a401ee8651abp+1, -0x1.bf90ff6d0ed1ep+2, \
    0x1.99d33153592bcp+5, 0x1.059eabd0a8fbp+6, 0x1.494d21307d44bp+4, 0x1.4f06e45e16f4p+0, -0x1.e590e45197dc2p+4, \
    0x1.22c070cc25c2dp+5, 0x1.a365f08c33594p+6, 0x1.00d5de7f01cdcp+6, 0x1.3e05b4d5cecd8p+3, 0x1.4fa9d482c4a1ep-2, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.320e661d6611dp+4, -0x1.63782ce773d64p+4, -0x1.14f2236aff7ep+3, \
    0x1.4032adbfa5b6dp+5, 0x1.a84d77b905d74p+5, 0x1.22ef46e960cb1p+5, 0x1.648c28a68531cp+3, -0x1.11ef4eb887357p+6, \
    -0x1.7e40ac0583c37p+6, -0x1.2e8f8985837cap+6, -0x1.16f8fc2a06423p+5, -0x1.ae1c9c8cd423cp+2, 0x1.9e11d4edc965bp+6, \
    0x1.288e1e3495158p+7, 0x1.f40220ef8357cp+6, 0x1.051d1471d2ab7p+6, 0x1.15a84f9d8145ap+3, -0x1.8b138fb080d65p+2, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.052bfe1aaa3f4p+4, -0x1.63782ce773d64p+4, -0x1.3d17785d58b3fp+3, \
    0x1.abf1584960d5ep+4, 0x1.54d6df0249a49p+5, 0x1.5270ce6aeb201p+5, 0x1.1f8d856714b85p+4, -0x1.faaf66e8ea967p+4, \
    -0x1.b255fd0437853p+5, -0x1.0797ef03d4d1cp+6, -0x1.ef1e828f8589fp+5, -0x1.a40e995c84024p+4, 0x1.a6e5f96ff1d7fp+4, \
    0x1.83a05b3de2871p+5, 0x1.0d1cccf4f8b3cp+6, 0x1.43e2c3fe3281cp+6, 0x1.3596a4ba0d195p+6, 0x1.0b8492f3cad24p+5, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.320e661d6611dp+4, 0x1.c45ce7777f608p+3, 0x1.381268fd984a4p+4, \
    0x1.4032adbfa5b6dp+5, -0x1.62be4454351edp+5, 0x1.817abf18a523ep+2, 0x1.89fb2a5a9f41ap+5, -0x1.11ef4eb887357p+6, \
    0x1.5ae1d6bc35e29p+6, -0x1.65bd0154b1cc3p+5, -0x1.ad940b732c1b1p+4, 0x1.4a313413da3fep+6, 0x1.9e11d4edc965bp+6, \
    -0x1.176ba919ce4dp+7, 0x1.7bd0dbdc3fd8dp+6, -0x1.43ca83320855p+2, -0x1.3b658b58c2e8ap+6, 0x1.939ec709eb0d7p+6, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.9a75f397c7479p+4, 0x1.c45ce7777f608p+3, -0x1.0ba7be5f35879p-1, \
    0x1.e55fb3d6b139fp+5, 0x1.eda54219e4a9bp+4, -0x1.9af181e8719cbp+1, 0x1.4f4f01c5193d3p-6, 0x1.9c73684d0031dp+6, \
    0x1.6b9852719bc38p+5, -0x1.56d208e723b08p+3, 0x1.5b80abe93a30ap-3, 0x1.09ab75e8ec106p-8, 0x1.10b51176cc48ep+7, \
    0x1.64f2b2b3a38b2p+5, -0x1.9922375b8a35p+4, 0x1.85e419519297fp-1, 0x1.421960b007527p-5, -0x1.c00e8ab1ed485p-11, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.052bfe1aaa3f4p+4, 0x1.090d6f92af8cdp+4, 0x1.421bbe3a2e97bp+4, \
    0x1.abf1584960d5ep+4, -0x1.3df1fc9f484a3p+5, 0x1.7d67dccf6747p+4, 0x1.c230e188d3969p+5, -0x1.faaf66e8ea967p+4, \
    0x1.b6fc0e4dad016p+5, -0x1.f2b425ee7c0dp+5, 0x1.cc9c46abac655p+4, 0x1.c85bd0e98bdcp+6, 0x1.a6e5f96ff1d7fp+4, \
    -0x1.a16a1a61f3f16p+5, 0x1.37aae4af550dep+6, -0x1.64d8a026a5f26p+6, 0x1.250cb918177dap+5, 0x1.80196e4ce9bc2p+7, \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.9a75f397c7479p+4, 0x1.090d6f92af8cdp+4, 0x1.5bec1c2c93c38p+0, \
    0x1.e55fb3d6b139fp+5, 0x1.6f1581789b5c3p+5, 0x1.154fdb923640fp+3, 0x1.bbe88483e85cp-3, 0x1.9c73684d0031dp+6, \
    0x1.8093b4aa3e818p+6, 0x1.e6da7788c160ap+4, 0x1.c5139e0add5d8p+0, 0x1.35bd6b0cbff6dp-6, 0x1.10b51176cc48ep+7, \
    0x1.4ec7bb6ca0bb6p+7, 0x1.369aeba4b2979p+6, 0x1.f2d9693cff72bp+2, 0x1.81ba43f5821d7p-3, 0x1.0fd84b1c6be73p-11 }

#define EWI_P5_SLOPE_S { \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.6a09e667f3bcdp+2, 0x0p+0, 0x0p+0, -0x1.a20bd700c2c3ep+2, 0x0p+0, \
    -0x1.3f49c0b9ad4dbp+3, 0x0p+0, -0x1.3797e1030932ap+1, 0x0p+0, -0x1.64f995f90ea79p+4, 0x0p+0, 0x0p+0, \
    0x1.e38e38e38e38ep+2, 0x0p+0, -0x1.5b98cb56e5d1p+2, 0x0p+0, 0x1.1055b6e104eebp+3, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.83b68a8f42d66p+3, 0x1.e05013183c10fp+3, 0x0p+0, 0x1.3872b67baa886p+0, \
    0x1.4ca348e767286p+5, 0x1.17993ac7c2185p+4, 0x0p+0, -0x1.5b91804a5a7cfp+3, 0x1.0a7c77d2ecfecp+5, \
    0x1.0761b0f07a98p+6, 0x1.cdf50757b2c76p+3, 0x0p+0, -0x1.5000acd3ee9dcp+1, -0x1.19a39b2110785p+4, \
    0x1.6c68bd31ae275p+6, 0x1.129df7ebd02bdp+6, 0x1.22eef2e1fda95p+3, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    0x1.83b68a8f42d66p+3, -0x1.e05013183c10fp+3, 0x0p+0, 0x1.3872b67baa886p+0, -0x1.4ca348e767286p+5, \
    0x1.17993ac7c2185p+4, 0x0p+0, -0x1.5b91804a5a7cfp+3, -0x1.0a7c77d2ecfecp+5, 0x1.0761b0f07a98p+6, \
    -0x1.cdf50757b2c76p+3, 0x0p+0, -0x1.5000acd3ee9dcp+1, 0x1.19a39b2110785p+4, 0x1.6c68bd31ae275p+6, \
    -0x1.129df7ebd02bdp+6, 0x1.22eef2e1fda95p+3, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.d0bc770530232p+2, \
    0x0p+0, 0x0p+0, 0x1.a4f957665b4c8p+2, 0x0p+0, -0x1.52c6a59c6624bp+4, 0x0p+0, -0x1.43feccca32327p+2, 0x0p+0, \
    0x1.186f67777f511p+4, 0x0p+0, 0x0p+0, 0x1.78ec93edd8653p+1, 0x0p+0, -0x1.85141bf0aecedp+3, 0x0p+0, \
    0x1.3297ed965ebf5p+5, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.eb914b274504cp+1, -0x1.611ce92e4105cp+4, \
    0x0p+0, -0x1.375e94b937697p-1, 0x1.7d0a0a6b3cd5dp+2, 0x1.068eeace6dda9p+5, 0x0p+0, 0x1.1a3014faf84c6p+2, \
    0x1.23f03e2173e3p+3, -0x1.13876195f5bbep-1, -0x1.8c7180b33d061p+4, 0x0p+0, -0x1.7d97ecf4955aep+2, \
    -0x1.14d9418d12901p+4, -0x1.551c8c402faa6p+4, -0x1.62e3fcb148fb1p+2, -0x1.26e50326fd041p+2, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, -0x1.eb914b274504cp+1, 0x1.611ce92e4105cp+4, 0x0p+0, -0x1.375e94b937697p-1, \
    -0x1.7d0a0a6b3cd5dp+2, 0x1.068eeace6dda9p+5, 0x0p+0, 0x1.1a3014faf84c6p+2, -0x1.23f03e2173e3p+3, \
    -0x1.13876195f5bbep-1, 0x1.8c7180b33d061p+4, 0x0p+0, -0x1.7d97ecf4955aep+2, 0x1.14d9418d12901p+4, \
    -0x1.551c8c402faa6p+4, 0x1.62e3fcb148fb1p+2, -0x1.26e50326fd041p+2, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    0x1.8a6bbf97c80ecp+4, 0x0p+0, 0x0p+0, 0x1.5bdcd4fe7861bp+5, 0x0p+0, -0x1.138c4b559adddp+0, 0x0p+0, \
    0x1.6e789c89ea3f3p+5, 0x0p+0, -0x1.d05dfd8db573ep+2, 0x0p+0, 0x0p+0, 0x1.68563d603caf9p+4, 0x0p+0, \
    -0x1.8f4845b56062fp+4, 0x0p+0, 0x1.95a8fdcee44f4p-4, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    -0x1.3c9048f175c9fp+1, -0x1.fddb4237ba0fep+2, 0x0p+0, -0x1.5da33670ce3b3p+1, 0x1.2f4b576e10e2dp-4, \
    -0x1.3e23c55e02131p+3, 0x0p+0, 0x1.723b690d9b522p+2, 0x1.665651e9d8e1ep+2, -0x1.87c787453bdc3p+1, \
    0x1.4ae9cb21c719ap+4, 0x0p+0, -0x1.4a381a45155cp+2, -0x1.a5978180380dep+2, 0x1.1c514ab74cc76p+3, \
    0x1.951cb07ec84b9p+3, 0x1.934dbbefa7ecep-2, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.2516852468d7dp+2, \
    -0x1.adbe3560723e2p+3, 0x0p+0, -0x1.b966dcaa9e554p+2, -0x1.1eb69831c1a91p+4, 0x1.ff8353282cdb3p+2, 0x0p+0, \
    -0x1.011eb0b1dcb0dp-1, 0x1.1cc235660b6f4p+3, 0x1.fa89eb3bf2e5dp+3, 0x1.4c597666bed2p+2, 0x0p+0, \
    0x1.bd09e0e940f61p+2, 0x1.96a4a3e3c5cfdp+3, 0x1.1c17ff77dff4dp-1, 0x1.b2946f69993aap+3, -0x1.a41e5acb289fbp+3, \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.3c9048f175c9fp+1, 0x1.fddb4237ba0fep+2, 0x0p+0, \
    -0x1.5da33670ce3b3p+1, -0x1.2f4b576e10e2dp-4, -0x1.3e23c55e02131p+3, 0x0p+0, 0x1.723b690d9b522p+2, \
    -0x1.665651e9d8e1ep+2, -0x1.87c787453bdc3p+1, -0x1.4ae9cb21c719ap+4, 0x0p+0, -0x1.4a381a45155cp+2, \
    0x1.a5978180380dep+2, 0x1.1c514ab74cc76p+3, -0x1.951cb07ec84b9p+3, 0x1.934dbbefa7ecep-2, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.dba7a94616a1cp+3, -0x1.5da128892a6c6p+2, 0x0p+0, 0x1.da53f6d9c734cp+2, \
    -0x1.1fe5e3892fb9fp+4, -0x1.6fe98476e8c51p+0, 0x0p+0, -0x1.35746f8b53ffp+3, -0x1.5d9fa25262095p+4, \
    -0x1.9685f32f0f658p+2, 0x1.a0f427458c3a3p+1, 0x0p+0, -0x1.63d07ac93094ap+3, -0x1.d517fc7073021p+1, \
    -0x1.76a9573e8d4cap+3, 0x1.208b881d93732p+4, -0x1.d5f3b1e6d0356p-1, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    0x1.2516852468d7dp+2, 0x1.adbe3560723e2p+3, 0x0p+0, -0x1.b966dcaa9e554p+2, 0x1.1eb69831c1a91p+4, \
    0x1.ff8353282cdb3p+2, 0x0p+0, -0x1.011eb0b1dcb0dp-1, -0x1.1cc235660b6f4p+3, 0x1.fa89eb3bf2e5dp+3, \
    -0x1.4c597666bed2p+2, 0x0p+0, 0x1.bd09e0e940f61p+2, -0x1.96a4a3e3c5cfdp+3, 0x1.1c17ff77dff4dp-1, \
    -0x1.b2946f69993aap+3, -0x1.a41e5acb289fbp+3, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.dba7a94616a1cp+3, \
    0x1.5da128892a6c6p+2, 0x0p+0, 0x1.da53f6d9c734cp+2, 0x1.1fe5e3892fb9fp+4, -0x1.6fe98476e8c51p+0, 0x0p+0, \
    -0x1.35746f8b53ffp+3, 0x1.5d9fa25262095p+4, -0x1.9685f32f0f658p+2, -0x1.a0f427458c3a3p+1, 0x0p+0, \
    -0x1.63d07ac93094ap+3, 0x1.d517fc7073021p+1, -0x1.76a9573e8d4cap+3, -0x1.208b881d93732p+4, -0x1.d5f3b1e6d0356p-1, \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.db2a89664be3bp+2, -0x1.fa848878e5b9ep+3, 0x0p+0, \
    0x1.bf279252f78cfp+2, 0x1.e28229cfbb74p+3, 0x1.2cc0c95fda505p+2, 0x0p+0, -0x1.70dc2dd064356p+2, \
    -0x1.9706f123d7d4ep+3, -0x1.0495b088aeea8p+2, 0x1.c0deb4d19a749p+4, 0x0p+0, 0x1.f71e3d7e627a4p+1, \
    0x1.2358ad52aae3dp+3, 0x1.899fe83587fddp+1, -0x1.6478ecd8828fbp+4, -0x1.6b24bb631993fp+5, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.faeb0c47e9ae8p+0, -0x1.71d0c19f53a2ap+4, 0x0p+0, -0x1.abd5a7db4f792p+2, \
    -0x1.3652c0c5fa5a7p+4, 0x1.5647af5f00a6cp+5, 0x0p+0, 0x1.ce579f2cf218fp+1, 0x1.690f28a093e22p+4, \
    0x1.d2e408153d799p+5, -0x1.d5c212e8cbc8ep+5, 0x0p+0, 0x1.99cddcac3b3abp+1, 0x1.450a8a92a5a86p+1, \
    -0x1.ec04e28e359ecp+4, -0x1.b8da367ff0adp+6, 0x1.07bf8d8ca14fp+6, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    -0x1.db2a89664be3bp+2, 0x1.fa848878e5b9ep+3, 0x0p+0, 0x1.bf279252f78cfp+2, -0x1.e28229cfbb74p+3, \
    0x1.2cc0c95fda505p+2, 0x0p+0, -0x1.70dc2dd064356p+2, 0x1.9706f123d7d4ep+3, -0x1.0495b088aeea8p+2, \
    -0x1.c0deb4d19a749p+4, 0x0p+0, 0x1.f71e3d7e627a4p+1, -0x1.2358ad52aae3dp+3, 0x1.899fe83587fddp+1, \
    0x1.6478ecd8828fbp+4, -0x1.6b24bb631993fp+5, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.66a35e630b2bap+4, \
    -0x1.d239f58b8316cp+2, 0x0p+0, 0x1.0a7ac9bba892p+5, -0x1.13c9ead6ec0a3p+5, 0x1.ede8355077924p+1, 0x0p+0, \
    0x1.7fbc5a1a91155p+4, -0x1.3d9f08d284a95p+6, 0x1.7f6e70d3d579bp+4, -0x1.49d6a7bd51e64p+0, 0x0p+0, \
    -0x1.e5f235a037eb1p+1, -0x1.bd0daff60ee8p+6, 0x1.270e55f127e0ap+6, -0x1.3cad5defea9d4p+3, 0x1.da79e91b738edp-3, \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.faeb0c47e9ae8p+0, 0x1.71d0c19f53a2ap+4, 0x0p+0, \
    -0x1.abd5a7db4f792p+2, 0x1.3652c0c5fa5a7p+4, 0x1.5647af5f00a6cp+5, 0x0p+0, 0x1.ce579f2cf218fp+1, \
    -0x1.690f28a093e22p+4, 0x1.d2e408153d799p+5, 0x1.d5c212e8cbc8ep+5, 0x0p+0, 0x1.99cddcac3b3abp+1, \
    -0x1.450a8a92a5a86p+1, -0x1.ec04e28e359ecp+4, 0x1.b8da367ff0adp+6, 0x1.07bf8d8ca14fp+6, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.66a35e630b2bap+4, 0x1.d239f58b8316cp+2, 0x0p+0, 0x1.0a7ac9bba892p+5, \
    0x1.13c9ead6ec0a3p+5, 0x1.ede8355077924p+1, 0x0p+0, 0x1.7fbc5a1a91155p+4, 0x1.3d9f08d284a95p+6, \
    0x1.7f6e70d3d579bp+4, 0x1.49d6a7bd51e64p+0, 0x0p+0, -0x1.e5f235a037eb1p+1, 0x1.bd0daff60ee8p+6, \
    0x1.270e55f127e0ap+6, 0x1.3cad5defea9d4p+3, 0x1.da79e91b738edp-3, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    -0x1.02937257684cp+3, -0x1.c28b7ab318094p+4, 0x0p+0, 0x1.163ccd9342e1ep+3, 0x1.e57fde0c984d2p+4, \
    0x1.e31e3484408e1p+5, 0x0p+0, -0x1.1af6aa4a6f06dp+3, -0x1.eec4236caa5a1p+4, -0x1.edc301e39c4fcp+5, \
    -0x1.6512fddca7822p+6, 0x0p+0, 0x1.122751ac6c889p+3, 0x1.e0c5144d0dfb9p+4, 0x1.e1c0d87d644c4p+5, \
    0x1.5e1a954c73115p+6, 0x1.7aed8e0ee3p+6, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.69aaf5531125dp+2, \
    -0x1.e0a77a68daf1bp+4, 0x0p+0, 0x1.6e4e263015a5bp+1, 0x1.2779c0066ef91p+4, 0x1.28fbd21e2ef96p+6, 0x0p+0, \
    0x1.2984525d5f0b1p-1, -0x1.c7bb8192d967p+1, -0x1.08d05f39af575p+5, -0x1.18afbba0566e4p+7, 0x0p+0, \
    -0x1.dc9bf24116a5ap+1, -0x1.5470bdd2e2d0bp+3, -0x1.07aee1439b84ep+3, 0x1.4620905c02b4fp+5, 0x1.c2fa9309dc70bp+7, \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.02937257684cp+3, 0x1.c28b7ab318094p+4, 0x0p+0, \
    0x1.163ccd9342e1ep+3, -0x1.e57fde0c984d2p+4, 0x1.e31e3484408e1p+5, 0x0p+0, -0x1.1af6aa4a6f06dp+3, \
    0x1.eec4236caa5a1p+4, -0x1.edc301e39c4fcp+5, 0x1.6512fddca7822p+6, 0x0p+0, 0x1.122751ac6c889p+3, \
    -0x1.e0c5144d0dfb9p+4, 0x1.e1c0d87d644c4p+5, -0x1.5e1a954c73115p+6, 0x1.7aed8e0ee3p+6, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.eb3be34e6f3d1p+4, -0x1.e1bffb5c2e875p+0, 0x0p+0, 0x1.32f41142c6d88p+6, \
    -0x1.7c0c3c0c52a81p+3, 0x1.e5d264bc8b83ap-3, 0x0p+0, 0x1.1b2feef18631ap+7, -0x1.4921bdfe299c7p+5, \
    0x1.f083b38804a39p+0, -0x1.e6a51b2509e57p-7, 0x0p+0, 0x1.a8046819899e2p+7, -0x1.9ce3797b9524dp+6, \
    0x1.11caf63398e2ep+3, -0x1.3133ebc98048dp-3, -0x1.606c7f2b02c24p-12, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, \
    -0x1.69aaf5531125dp+2, 0x1.e0a77a68daf1bp+4, 0x0p+0, 0x1.6e4e263015a5bp+1, -0x1.2779c0066ef91p+4, \
    0x1.28fbd21e2ef96p+6, 0x0p+0, 0x1.2984525d5f0b1p-1, 0x1.c7bb8192d967p+1, -0x1.08d05f39af575p+5, \
    0x1.18afbba0566e4p+7, 0x0p+0, -0x1.dc9bf24116a5ap+1, 0x1.5470bdd2e2d0bp+3, -0x1.07aee1439b84ep+3, \
    -0x1.4620905c02b4fp+5, 0x1.c2fa9309dc70bp+7, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.eb3be34e6f3d1p+4, \
    0x1.e1bffb5c2e875p+0, 0x0p+0, 0x1.32f41142c6d88p+6, 0x1.7c0c3c0c52a81p+3, 0x1.e5d264bc8b83ap-3, 0x0p+0, \
    0x1.1b2feef18631ap+7, 0x1.4921bdfe299c7p+5, 0x1.f083b38804a39p+0, 0x1.e6a51b2509e57p-7, 0x0p+0, \
    0x1.a8046819899e2p+7, 0x1.9ce3797b9524dp+6, 0x1.11caf63398e2ep+3, 0x1.3133ebc98048dp-3, -0x1.606c7f2b02c24p-12 }

#define EWI_P5_BUCKET { \
    0x1.0751354af5d35p-4, 0x1.2cdbea6f4e401p-6, 0x1.2cdbea6f4e401p-6, 0x1.2cdbea6f4e401p-6, 0x1.4d830fa7af4d6p-5, \
    0x1.4d830fa7af4d6p-5, 0x1.4d830fa7af4d6p-5, 0x1.5932759faa4e1p-4, 0x1.5932759faa4e1p-4, 0x1.5932759faa4e1p-4, \
    0x1.5932759faa4e1p-4, 0x1.5932759faa4e1p-4, 0x1.5932759faa4e1p-4, 0x1.710c212b726fbp-6, 0x1.710c212b726fbp-6, \
    0x1.710c212b726fbp-6, 0x1.710c212b726fbp-6, 0x1.710c212b726fbp-6, 0x1.710c212b726fbp-6, 0x1.34baabbdd4207p-8, \
    0x1.34baabbdd4207p-8, 0x1.34baabbdd4207p-8, 0x1.34baabbdd4207p-8, 0x1.34baabbdd4207p-8, 0x1.34baabbdd4207p-8, \
    0x1.4ea5d6fc3dd28p-9, 0x1.6056636501af8p-8, 0x1.c8fcda715e138p-8, 0x1.c8fcda715e138p-8, 0x1.6056636501af8p-8, \
    0x1.4ea5d6fc3dd28p-9 }

#define EWI_P5_SIDE_SHARE { \
    0x1.e85314aa3f562p-6 }

#endif
