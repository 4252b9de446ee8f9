/// Keys made for these tests with `openssl`, and used nowhere else. Derived ones were edited byte by byte.
enum KeyFixtures {
  /// `openssl pkey -pubout -outform DER | sha256sum` of the first key.
  static let fingerprint = "10ca20040a92741d348d73b5dd0f3beaa9cc88f44d5980c8ae2aede15c01c94e"

  /// A key as Apple gives it: 138 bytes of DER.
  static let p256 = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJXO8ui4ByFBIg4GR
    RPcttqCVBMoEPS2VcAvlNvlCTiyhRANCAAQ7dqDUj/gn0zJM88zGhljCRMue3r6i
    cSm1q91f/LeLoUO+sfXtZG/4Z6WMfKO/G+6wciiSY3t9paKLc6a3ogLO
    -----END PRIVATE KEY-----

    """

  /// The same key with the curve named inside once more: 150 bytes of DER.
  static let withInnerParameters = """
    -----BEGIN PRIVATE KEY-----
    MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQgJXO8ui4ByFBIg4GR
    RPcttqCVBMoEPS2VcAvlNvlCTiygCgYIKoZIzj0DAQehRANCAAQ7dqDUj/gn0zJM
    88zGhljCRMue3r6icSm1q91f/LeLoUO+sfXtZG/4Z6WMfKO/G+6wciiSY3t9paKL
    c6a3ogLO
    -----END PRIVATE KEY-----

    """

  /// The same key without its public half: 67 bytes of DER.
  static let withoutPublicKey = """
    -----BEGIN PRIVATE KEY-----
    MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCAlc7y6LgHIUEiDgZFE
    9y22oJUEygQ9LZVwC+U2+UJOLA==
    -----END PRIVATE KEY-----

    """

  /// The same key beside another key's public half.
  static let foreignPublicKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJXO8ui4ByFBIg4GR
    RPcttqCVBMoEPS2VcAvlNvlCTiyhRANCAASVqNIg2p4u26761gNkIlnqKK5+gKwJ
    EmuDNeDfB4Eby2TgeEuap7ePyiuwcDkaxtWPv5cbb2nhwKFDv1wteia5
    -----END PRIVATE KEY-----

    """

  static let zeroScalar = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAAAAAAAAAAAAAAAA
    AAAAAAAAAAAAAAAAAAAAAAAAAAChRANCAAQ7dqDUj/gn0zJM88zGhljCRMue3r6i
    cSm1q91f/LeLoUO+sfXtZG/4Z6WMfKO/G+6wciiSY3t9paKLc6a3ogLO
    -----END PRIVATE KEY-----

    """

  static let scalarTooLarge = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg////////////////
    //////////////////////////+hRANCAAQ7dqDUj/gn0zJM88zGhljCRMue3r6i
    cSm1q91f/LeLoUO+sfXtZG/4Z6WMfKO/G+6wciiSY3t9paKLc6a3ogLO
    -----END PRIVATE KEY-----

    """

  static let pointOffCurve = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJXO8ui4ByFBIg4GR
    RPcttqCVBMoEPS2VcAvlNvlCTiyhRANCAAQ7dqDUj/gn0zJM88zGhljCRMue3r6i
    cSm1q91f/LeLoUO+sfXtZG/4Z6WMfKO/G+6wciiSY3t9paKLc6a3ogLP
    -----END PRIVATE KEY-----

    """

  static let p384 = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDW+JjwRp7NdjkwEdGv
    78X3pmUnszX3usVQYcuBGSqjtrf9fMvXX+SrG70vGupfgdehZANiAASpOH8itHvU
    TEikoviXpjgt1BfXJPPhX3STdrW+nLmfhqezE+HKcQIMjDC75ig3/qYK82KbPkpk
    XmcPN/cMfsFXmi8gD9GBVNBRsA+Tz6mVXlcXYAO1dAUxwcklFSiyXhk=
    -----END PRIVATE KEY-----

    """

  static let secp256k1 = """
    -----BEGIN PRIVATE KEY-----
    MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQg5Iw4eEhuv2WD2E0ayV8X
    ZbBeKEVvpv4BA6UuF+M+L7ihRANCAASAG1UlulQy4Gw1g4TxqjFn5KOz0F5Op8lw
    2MsomkF+V3blrHiAXggjP0unh4jFP91kGet5ug/NtDWRQny3lodi
    -----END PRIVATE KEY-----

    """

  /// P-256 written out as numbers instead of named.
  static let explicitParameters = """
    -----BEGIN PRIVATE KEY-----
    MIIBeQIBADCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAAB
    AAAAAAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA
    ///////////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMV
    AMSdNgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg
    9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8A
    AAAA//////////+85vqtpxeehPO5ysL8YyVRAgEBBG0wawIBAQQgdigi53gy+nrZ
    Y+UyBVlnfHDfimGL82PdVbsDMRlu2qahRANCAAR/XnEP2YDT9fICoPZa6Ntv0H+m
    rsGN/yccgMpgseu+oPigeeqHiPTEfFjKbfBM97mCAoe8tBc5VYlj4i8PgZvb
    -----END PRIVATE KEY-----

    """

  static let rsa = """
    -----BEGIN PRIVATE KEY-----
    MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAMD6/Ew2IsEtXCaX
    j4cUem7oXXFKmxOgskU5YkfcxXC+ClVp6bW5Ldv5f/JFtAAoFGMzAgJldCLn7jTL
    ZHkunZcYLGypxhjw1P02cx2CmahiJkyjXyqCkLS559mNAgs3m0PEpSnxF2lKdMPK
    CSXgB5DGEsKDaqndgarHUsSlmERNAgMBAAECgYA07qL1ZIPz6LU2AKxlqMBMW4AF
    6yjOIW3EfxDuFSgy3G2JMBvitIBXrf/iPCw7PsMY0ozii2FnkaZM5N0SQC8JIKwq
    p5uJ2ynjAJZqp8qzP46m309Wd9Tht/4wr2qOX5F5H0CofKMfVbNQjiX+pakcWGFG
    Y/GSoWhIajVvewqtAQJBAOJxMxiaKeXC19nBjwqUlezDvTrJntGaymiFmnNbHp6K
    YxyD6+LoyyyqnMSsxNV6y6FRNJVcymxJ6G/Z/9eO/rkCQQDaK6BHJJ8VRXC/kHiB
    g32iXDPWjUKslWUQjyAID4sLOcS70HhP3j2bMEIdiNt2rC+lh89AT9vBCoDL8EHH
    Zcg1AkEAz19/vb4hNIs1hfRe/P+KNaQkfdv7GFW7m/EOuyntZp+xmIGv2sP6nVM5
    8luOfzrPlVJ653Zs4rLkrNpmFJCd8QJAepiHQVMP3ekeeVcakFSuVX0QWCEa9VYh
    65MxwbXSQWWd6pgz81WEMt+EV4pfIKmTQKY3TQFTEH/xbig9HmpQfQJBAKKKoQXO
    WsHUl90YUE3ll8wM6EqmMRTlor7HWR/ye5FIAeEkBjniRaLbHbUdHI6qTC28SbGZ
    6p/KwYPIPT8mT/Q=
    -----END PRIVATE KEY-----

    """

  static let rsaTraditional = """
    -----BEGIN RSA PRIVATE KEY-----
    MIICXQIBAAKBgQDA+vxMNiLBLVwml4+HFHpu6F1xSpsToLJFOWJH3MVwvgpVaem1
    uS3b+X/yRbQAKBRjMwICZXQi5+40y2R5Lp2XGCxsqcYY8NT9NnMdgpmoYiZMo18q
    gpC0uefZjQILN5tDxKUp8RdpSnTDygkl4AeQxhLCg2qp3YGqx1LEpZhETQIDAQAB
    AoGANO6i9WSD8+i1NgCsZajATFuABesoziFtxH8Q7hUoMtxtiTAb4rSAV63/4jws
    Oz7DGNKM4othZ5GmTOTdEkAvCSCsKqebidsp4wCWaqfKsz+Opt9PVnfU4bf+MK9q
    jl+ReR9AqHyjH1WzUI4l/qWpHFhhRmPxkqFoSGo1b3sKrQECQQDicTMYminlwtfZ
    wY8KlJXsw706yZ7RmspohZpzWx6eimMcg+vi6MssqpzErMTVesuhUTSVXMpsSehv
    2f/Xjv65AkEA2iugRySfFUVwv5B4gYN9olwz1o1CrJVlEI8gCA+LCznEu9B4T949
    mzBCHYjbdqwvpYfPQE/bwQqAy/BBx2XINQJBAM9ff72+ITSLNYX0Xvz/ijWkJH3b
    +xhVu5vxDrsp7WafsZiBr9rD+p1TOfJbjn86z5VSeud2bOKy5KzaZhSQnfECQHqY
    h0FTD93pHnlXGpBUrlV9EFghGvVWIeuTMcG10kFlneqYM/NVhDLfhFeKXyCpk0Cm
    N00BUxB/8W4oPR5qUH0CQQCiiqEFzlrB1JfdGFBN5ZfMDOhKpjEU5aK+x1kf8nuR
    SAHhJAY54kWi2x21HRyOqkwtvEmxmeqfysGDyD0/Jk/0
    -----END RSA PRIVATE KEY-----

    """

  static let ed25519 = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIIuYMjKg2Ra/NcKNfmMGzZLPixrp6AmXTIfNwnn6Vi8M
    -----END PRIVATE KEY-----

    """

  /// The same key as an EC PRIVATE KEY block.
  static let sec1 = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEICVzvLouAchQSIOBkUT3LbaglQTKBD0tlXAL5Tb5Qk4soAoGCCqGSM49
    AwEHoUQDQgAEO3ag1I/4J9MyTPPMxoZYwkTLnt6+onEptavdX/y3i6FDvrH17WRv
    +GeljHyjvxvusHIokmN7faWii3Omt6ICzg==
    -----END EC PRIVATE KEY-----

    """

  /// The same key under the password `x`.
  static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh7bd+kkFS5+QICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEH1AhOlM+/IAsg6rx88JUIcEgZCx
    5T+egnVMOgfIzlCq56wJWdVHPIIU1MsCRu5AHn/lv9qjqDPZzLUGHKtwLYcZz8lN
    6WcELU0NN/oL2nt8DNQZ6M8kq17KP0ETP76wjWY8mXHyO8L1dtZAZYn8SAL+YPbG
    pg+G3wW3bzOzJulP1zz1yxK6G9RMr2Wz+pE/1MAqSaXqTX4jjlw1C/i3R6aHYN4=
    -----END ENCRYPTED PRIVATE KEY-----

    """

  /// Its public half.
  static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEO3ag1I/4J9MyTPPMxoZYwkTLnt6+
    onEptavdX/y3i6FDvrH17WRv+GeljHyjvxvusHIokmN7faWii3Omt6ICzg==
    -----END PUBLIC KEY-----

    """

  static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBbjCCAROgAwIBAgIUK11sOycUFlIjSlEPfcPsJh/qy3QwCgYIKoZIzj0EAwIw
    DDEKMAgGA1UEAwwBeDAeFw0yNjEyMDEwMzE2MTlaFw0zNjExMjgwMzE2MTlaMAwx
    CjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ7dqDUj/gn0zJM
    88zGhljCRMue3r6icSm1q91f/LeLoUO+sfXtZG/4Z6WMfKO/G+6wciiSY3t9paKL
    c6a3ogLOo1MwUTAdBgNVHQ4EFgQU30vXvj++55o5JypEPPQ0xgac82kwHwYDVR0j
    BBgwFoAU30vXvj++55o5JypEPPQ0xgac82kwDwYDVR0TAQH/BAUwAwEB/zAKBggq
    hkjOPQQDAgNJADBGAiEAzFLomBYYwiCFHm5UR7/mOg0KrvPzWzINPmo9RrSyTI8C
    IQDH+UWnC25eYOpBwDVGXB3qjYWMo5PBWrDDuif0thf47w==
    -----END CERTIFICATE-----

    """
}
