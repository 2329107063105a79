import { experimental, ServerCredentials } from "@grpc/grpc-js";
import type { ServerTlsOptions } from "@storefront/process";
import type { TlsCredentials } from "../tls/open-tls-credentials.ts";
import { TlsError } from "../tls/tls-material.ts";
import type { TlsMaterial } from "../tls/tls-material.ts";

/** How a server's ports speak TLS. */
export interface ServerTls {
  /** With a certificate and a key; the caller closes them, after the server. */
  credentials: TlsCredentials;
  /**
   * Whether callers have to show a certificate: `none` does not ask, `request` asks and takes everybody, `require` takes
   * RPCs of those only whose certificate is signed by the authorities. Default `none`.
   */
  clientAuth?: ServerTlsOptions["clientAuth"] | undefined;
}

/** Makes sure that a server has what it shows and what it checks by. @throws TlsError */
export function checkServerTls({ credentials, clientAuth = "none" }: ServerTls): void {
  const { cert, key, ca } = credentials.current;
  if (cert === undefined || key === undefined) {
    throw new TlsError("A server that speaks TLS needs a certificate and its private key.");
  }
  // Without authorities of its own it would trust every certificate that the public ones have signed.
  if (clientAuth !== "none" && ca === undefined) {
    throw new TlsError("A server that asks for client certificates needs a file of authorities.");
  }
}

/** Credentials of a gRPC port: its new connections use the certificates of their time. */
export function createGrpcCredentials(tls: ServerTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { credentials, clientAuth = "none" } = tls;
  const provider = new CertificateProvider(credentials);
  // The parameters' declared names are the wrong way round: the server's own certificate comes first.
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

/** Gives grpc-js certificates: the first ones after it has begun to listen for them. */
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
