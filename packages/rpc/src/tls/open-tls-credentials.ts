import type { Logger, TlsFiles } from "@storefront/process";
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";

/**
 * How often the files are read, in milliseconds. They are compared by content: Kubernetes replaces a
 * mounted secret by swapping symbolic links, which watchers of files do not see reliably.
 */
const defaultIntervalMs = 5000;

/** The certificate, the key and the trusted authorities of a process, with the current contents of its files. */
export interface TlsCredentials {
  /** The material of new connections. */
  readonly current: TlsMaterial;
  /** Calls `listener` after each change of the files. @returns stops the calls */
  onChange(listener: (material: TlsMaterial) => void): () => void;
  /** Stops reading the files; the last contents can still be used. */
  close(): void;
}

/** Options to follow the files. */
export interface TlsCredentialsOptions extends TlsFiles {
  logger: Logger;
  /** Time between two reads of the files, in milliseconds; default 5 s. */
  intervalMs?: number | undefined;
}

/**
 * Reads certificates and keys from files and follows their changes, so that they are renewed without a
 * restart. Invalid files are logged, and the previous ones stay in use.
 *
 * @throws TlsError when they cannot be used at the start
 */
export async function openTlsCredentials(options: TlsCredentialsOptions): Promise<TlsCredentials> {
  const { logger, intervalMs = defaultIntervalMs } = options;
  const listeners = new Set<(material: TlsMaterial) => void>();
  let current = await readTlsMaterial(options);
  let failures = 0;

  async function look(): Promise<void> {
    try {
      const read = await readTlsMaterial(options);
      failures = 0;
      if (isSameMaterial(read, current)) return;
      current = read;
      logger.info({ file: options.certFile ?? options.caFile }, "TLS files were read again");
      for (const listener of listeners) {
        try {
          listener(read);
        } catch (err) {
          logger.error({ err }, "a port or client keeps the old TLS files");
        }
      }
    } catch (err) {
      failures += 1;
      // The first time the files may be incompletely replaced; later it was logged already.
      if (failures === 2) logger.error({ err }, "TLS files cannot be used; the old ones stay");
    }
  }

  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, intervalMs).unref();

  return {
    get current() {
      return current;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}

/** The contents of the files. */
export interface TlsMaterial {
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
  readonly ca: Buffer | undefined;
  /** The whole material, for connections. */
  readonly secureContext: SecureContext;
}

/**
 * Reads the files and checks that they can be used together.
 *
 * @throws TlsError that names the invalid file
 */
async function readTlsMaterial(files: TlsFiles): Promise<TlsMaterial> {
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

/** Whether two reads had the same result. */
function isSameMaterial(one: TlsMaterial, other: TlsMaterial): boolean {
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

// Node treats a file without certificates as an empty list of authorities.
function checkCertificate(file: string | undefined, pem: Buffer): void {
  try {
    // The first one in the file; its constructor is the check.
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
