import forge from 'node-forge';
import { answer, attempt } from './serve.js';
const { md, hmac, pki, cipher, util, pkcs5, pkcs7, pkcs12, asn1 } = forge;
const hex = (bytes) => util.bytesToHex(bytes);
const privateKey = pki.privateKeyFromPem(process.env['TEST_PRIVATE_KEY'] ?? '');
const publicKey = pki.publicKeyFromPem(process.env['TEST_PUBLIC_KEY'] ?? '');
function digests() {
  const out = {};
  for (const name of ['md5', 'sha1', 'sha256', 'sha384', 'sha512']) out[name] = md[name].create().update('grüße', 'utf8').digest().toHex();
  const mac = hmac.create();
  mac.start('sha256', 'key');
  out.hmac = mac.update('text').digest().toHex();
  out.pbkdf2 = hex(pkcs5.pbkdf2('password', 'salt', 100, 16, 'sha256'));
  return out;
}
function ciphers() {
  const out = {};
  for (const mode of ['CBC', 'CTR', 'GCM', 'ECB']) {
    const running = cipher.createCipher(`AES-${mode}`, 'k'.repeat(32));
    running.start({ iv: 'i'.repeat(mode === 'GCM' ? 12 : 16), tagLength: 128 });
    running.update(util.createBuffer('some text that is more than a block'));
    running.finish();
    out[mode] = [running.output.toHex(), running.mode.tag?.toHex()];
  }
  return out;
}
function signatures() {
  const digest = () => md.sha256.create().update('message', 'utf8');
  const signature = privateKey.sign(digest());
  const pss = () => forge.pss.create({ md: md.sha256.create(), mgf: forge.mgf.mgf1.create(md.sha256.create()), saltLength: 20 });
  const own = privateKey.sign(digest(), pss());
  return {
    signature: hex(signature),
    fits: publicKey.verify(digest().digest().bytes(), signature),
    pss: publicKey.verify(digest().digest().bytes(), own, pss()),
    broken: attempt(() => publicKey.verify(digest().digest().bytes(), `${signature.slice(1)}x`)),
    oaep: privateKey.decrypt(publicKey.encrypt('secret', 'RSA-OAEP', { md: md.sha256.create() }), 'RSA-OAEP', { md: md.sha256.create() }),
    pkcs1: privateKey.decrypt(publicKey.encrypt('secret')),
  };
}
function certificates() {
  const certificate = pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(1_700_000_000_000);
  certificate.validity.notAfter = new Date(1_900_000_000_000);
  const name = [
    { name: 'commonName', value: 'example.org' },
    { shortName: 'O', value: 'Us' },
  ];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'example.org' },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
    { name: 'subjectKeyIdentifier' },
  ]);
  certificate.sign(privateKey, md.sha256.create());
  const pem = pki.certificateToPem(certificate);
  const store = pki.createCaStore([pem]);
  const again = pki.certificateFromPem(pem);
  const p7 = pkcs7.createEnvelopedData();
  p7.addRecipient(again);
  p7.content = util.createBuffer('enveloped');
  p7.encrypt();
  const opened = pkcs7.messageFromPem(pkcs7.messageToPem(p7));
  opened.decrypt(opened.recipients[0], privateKey);
  const bag = pkcs12.toPkcs12Asn1(privateKey, [again], 'password', { algorithm: '3des' });
  const read = pkcs12.pkcs12FromAsn1(asn1.fromDer(asn1.toDer(bag).getBytes()), 'password');
  return {
    pem,
    subject: again.subject.attributes.map(({ name, value }) => [name, value]),
    extensions: again.extensions.map(({ name }) => name),
    fits: again.verify(again),
    chain: attempt(() => pki.verifyCertificateChain(store, [again], { validityCheckDate: new Date(1_800_000_000_000) })),
    expired: attempt(() => pki.verifyCertificateChain(store, [again], { validityCheckDate: new Date(2_000_000_000_000) })),
    enveloped: opened.content.toString(),
    bags: Object.keys(read.bags),
    wrongPassword: attempt(() => pkcs12.pkcs12FromAsn1(bag, 'other')),
  };
}
async function generated() {
  const pair = await new Promise((resolve, reject) =>
    pki.rsa.generateKeyPair({ bits: 1024 }, (error, made) => (error ? reject(error) : resolve(made))),
  );
  const sync = pki.rsa.generateKeyPair(512);
  const random = await new Promise((resolve, reject) =>
    forge.random.getBytes(20, (error, bytes) => (error ? reject(error) : resolve(bytes))),
  );
  const encrypted = pki.encryptRsaPrivateKey(pair.privateKey, 'password');
  return [
    pair.privateKey.n.bitLength(),
    sync.publicKey.n.bitLength(),
    random.length,
    forge.random.getBytesSync(9).length,
    pki.decryptRsaPrivateKey(encrypted, 'password').n.equals(pair.privateKey.n),
    attempt(() => pki.decryptRsaPrivateKey(encrypted, 'other')) === null,
  ];
}
answer(async () => ({
  digests: digests(),
  ciphers: ciphers(),
  signatures: signatures(),
  certificates: certificates(),
  generated: await generated(),
  broken: [attempt(() => pki.certificateFromPem('nothing')), attempt(() => asn1.fromDer('\x30\x05\x01'))],
}));
