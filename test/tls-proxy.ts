import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';

/** A server that takes TLS connections and passes them on, and the certificate to trust. */
export interface TlsProxy {
  readonly port: number;
  readonly certificate: string;
  close(): void;
}

/** Listens on all addresses of this machine, with a certificate for one of them. */
export async function startTlsProxy(address: string, targetPort: number): Promise<TlsProxy> {
  const { cert, key } = selfSigned(address);
  const server = createServer({ cert, key }, (client) => {
    const target = connect(targetPort, '127.0.0.1');
    client.pipe(target).pipe(client);
    client.on('error', () => target.destroy());
    target.on('error', () => client.destroy());
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    certificate: cert,
    close: () => server.close(),
  };
}

const der = (tag: number, ...parts: readonly Uint8Array[]) => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, 'hex');
const ECDSA_SHA256 = sequence(der(6, hex('2a8648ce3d040302')));
const ALTERNATIVE_NAME = der(6, hex('551d11'));

/** Node can use certificates and cannot make them. This one is for an IPv4 address and a few years. */
function selfSigned(address: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ip = Buffer.from(address.split('.').map(Number));
  const noName = sequence();
  const time = (text: string) => der(0x17, Buffer.from(text));
  const body = sequence(
    der(0xa0, der(2, hex('02'))),
    der(2, hex('01')),
    ECDSA_SHA256,
    noName,
    sequence(time('200101000000Z'), time('491231235959Z')),
    noName,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(ALTERNATIVE_NAME, der(4, sequence(der(0x87, ip)))))),
  );
  const signature = der(3, hex('00'), sign('sha256', body, privateKey));
  const certificate = sequence(body, ECDSA_SHA256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}
