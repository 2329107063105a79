import { experimental, ServerCredentials } from "@grpc/grpc-js";
import type { ServerTlsOptions } from "@storefront/process";
import type { TlsCredentials, TlsMaterial } from "../tls/open-tls-credentials.ts";
import { TlsError } from "../tls/open-tls-credentials.ts";

/** TLS of a server's ports. */
export interface ServerTls {
  /** With a certificate and a key; their owner closes them, after the server. */
  credentials: TlsCredentials;
  /**
   * Whether clients need a certificate: `none` requests none, `request` makes it optional, `require` accepts only RPCs of
   * clients whose certificate is signed by the authorities. Default `none`.
   */
  clientAuth?: ServerTlsOptions["clientAuth"] | undefined;
}

/** Checks that a server has a certificate, and authorities where it verifies clients. @throws TlsError */
export function checkServerTls({ credentials, clientAuth = "none" }: ServerTls): void {
  const { cert, key, ca } = credentials.current;
  if (cert === undefined || key === undefined) {
    throw new TlsError("A server with TLS needs a certificate and its private key.");
  }
  // Without its own authorities it would trust every certificate of public authorities.
  if (clientAuth !== "none" && ca === undefined) {
    throw new TlsError("A server that requests client certificates needs a file of authorities.");
  }
}

/** Credentials of a gRPC port: its new connections use the current certificates. */
export function createGrpcCredentials(tls: ServerTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { credentials, clientAuth = "none" } = tls;
  const provider = new CertificateProvider(credentials);
  // The parameters' declared names are swapped: the server's own certificate comes first.
  return experimental.createCertificateProviderServerCredentials(
    provider,
    clientAuth === "none" ? null : provider,
    clientAuth === "require",
  );
}

type IdentityListener = Parameters<
  experimental.CertificateProvider["addIdentityCertificateListener"]
>[0];
type CaListener = Parameters<experimental.CertificateProvider["addCaCertificateListener"]>[0];

/** Supplies grpc-js with certificates: the first ones after it has registered its listener. */
class CertificateProvider implements experimental.CertificateProvider {
  readonly #credentials: TlsCredentials;
  readonly #stops = new Map<IdentityListener | CaListener, () => void>();

  constructor(credentials: TlsCredentials) {
    this.#credentials = credentials;
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#follow(listener, ({ cert, key }) => {
      listener(
        cert === undefined || key === undefined ? null : { certificate: cert, privateKey: key },
      );
    });
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#stop(listener);
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#follow(listener, ({ ca }) => {
      listener(ca === undefined ? null : { caCertificate: ca });
    });
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#stop(listener);
  }

  #follow(key: IdentityListener | CaListener, listener: (material: TlsMaterial) => void): void {
    this.#stops.set(key, this.#credentials.onChange(listener));
    process.nextTick(() => {
      if (this.#stops.has(key)) listener(this.#credentials.current);
    });
  }

  #stop(key: IdentityListener | CaListener): void {
    this.#stops.get(key)?.();
    this.#stops.delete(key);
  }
}
