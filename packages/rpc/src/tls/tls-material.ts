import type { TlsFiles } from "@storefront/process";
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";

/** The contents of the files. */
export interface TlsMaterial {
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
  readonly ca: Buffer | undefined;
  /** All of it as connections use it. */
  readonly secureContext: SecureContext;
}

/**
 * Reads the files and makes sure that they can be used together.
 *
 * @throws TlsError that names the file at fault
 */
export async function readTlsMaterial(files: TlsFiles): Promise<TlsMaterial> {
  const [cert, key, ca] = await Promise.all([
    readPart(files.certFile),
    readPart(files.keyFile),
    readPart(files.caFile),
  ]);
  if (ca !== undefined) checkCertificate(files.caFile, ca);
  if (cert !== undefined) checkCertificate(files.certFile, cert);
  try {
    return { cert, key, ca, secureContext: createSecureContext({ cert, key, ca }) };
  } catch (cause) {
    throw new TlsError(problemOf(files, cause), { cause });
  }
}

/** Whether two readings gave the same. */
export function isSameMaterial(one: TlsMaterial, other: TlsMaterial): boolean {
  return (["cert", "key", "ca"] as const).every((part) => isSame(one[part], other[part]));
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

async function readPart(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "error";
    throw new TlsError(`The file ${file} cannot be read (${code}).`, { cause });
  }
}

// Node takes a file without certificates for an empty list of authorities.
function checkCertificate(file: string | undefined, pem: Buffer): void {
  try {
    // The first of the file; its constructor is the check.
    void new X509Certificate(pem);
  } catch (cause) {
    throw new TlsError(`The file ${file} does not begin with a certificate in PEM.`, { cause });
  }
}

function problemOf({ certFile, keyFile, caFile }: TlsFiles, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH") {
    return `The private key ${keyFile} is not the one of the certificate ${certFile}.`;
  }
  const named = [certFile, keyFile, caFile].filter((file) => file !== undefined);
  return `The files ${named.join(", ")} cannot be used together; a private key must not be encrypted.`;
}

/** TLS that cannot be set up as configured; the message is one sentence for the operator. */
export class TlsError extends Error {
  override readonly name = "TlsError";
}
