// X.509 certificates for tests, without openssl: an authority of one's own and what it vouches for.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

interface Subject {
  readonly commonName: string;
  /** To the API server the groups of a user. */
  readonly organisations?: readonly string[];
  /** When it ends, in milliseconds since 1970; a day from now where it is not given. */
  readonly until?: number;
}

export interface CertificateAuthority extends IssuedCertificate {
  issue(subject: Subject): IssuedCertificate;
}

const authorityName: Subject = { commonName: 'setpoint-test-authority' };

/** The same key makes the same authority: another process may issue with it too. */
export function certificateAuthority(privateKey?: string): CertificateAuthority {
  const key = privateKey === undefined ? newKey() : createPrivateKey(privateKey);
  return {
    cert: certificate({ subject: authorityName, subjectKey: key, signer: key, isAuthority: true }),
    key: pem(key),
    issue(subject) {
      const subjectKey = newKey();
      return { cert: certificate({ subject, subjectKey, signer: key, isAuthority: false }), key: pem(subjectKey) };
    },
  };
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

interface Wanted {
  readonly subject: Subject;
  readonly subjectKey: KeyObject;
  readonly signer: KeyObject;
  readonly isAuthority: boolean;
}

/** For servers on 127.0.0.1 and for clients. RFC 5280, 4.1. */
function certificate({ subject, subjectKey, signer, isAuthority }: Wanted): string {
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name(authorityName),
    sequence(time(Math.min(Date.now(), subject.until ?? Infinity) - 60_000), time(subject.until ?? Date.now() + 86_400_000)),
    name(subject),
    createPublicKey(subjectKey).export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...(isAuthority ? authorityExtensions : leafExtensions))),
  );
  const signature = sign('sha256', content, signer);
  const whole = sequence(content, ecdsaWithSha256, bits(signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return tagged(0x30, ...contents);
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function bits(bytes: Buffer, unused = 0): Buffer {
  return tagged(0x03, Buffer.from([unused]), bytes);
}

function octets(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

function identifier(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function time(at: number): Buffer {
  return tagged(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`));
}

function name({ commonName, organisations = [] }: Subject): Buffer {
  const part = (type: string, text: string): Buffer => tagged(0x31, sequence(identifier(type), tagged(0x0c, Buffer.from(text))));
  return sequence(...organisations.map((organisation) => part('55040a', organisation)), part('550403', commonName));
}

function extension(type: string, value: Buffer): Buffer {
  return sequence(identifier(type), octets(value));
}

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const yes = tagged(0x01, Buffer.from([0xff]));
const authorityExtensions = [extension('551d13', sequence(yes)), extension('551d0f', bits(Buffer.from([0x06]), 1))];
const loopback = tagged(0x87, Buffer.from([127, 0, 0, 1]));
const leafExtensions = [
  extension('551d25', sequence(identifier('2b06010505070301'), identifier('2b06010505070302'))),
  extension('551d11', sequence(loopback)),
];
