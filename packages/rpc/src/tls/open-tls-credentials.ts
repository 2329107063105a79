import type { Logger, TlsFiles } from "@storefront/process";
import { isSameMaterial, readTlsMaterial } from "./tls-material.ts";
import type { TlsMaterial } from "./tls-material.ts";

/**
 * How often the files are read, in milliseconds. They are compared by content: Kubernetes replaces a
 * mounted secret by swapping symbolic links, which watchers of files do not see reliably.
 */
const defaultIntervalMs = 5000;

/** The certificate, the key and the trusted authorities of a process, as its files have them now. */
export interface TlsCredentials {
  /** What new connections use. */
  readonly current: TlsMaterial;
  /** Calls `listener` after each change of the files. @returns stops the calls */
  onChange(listener: (material: TlsMaterial) => void): () => void;
  /** Stops reading the files; what was read last can still be used. */
  close(): void;
}

/** How the files are followed. */
export interface TlsCredentialsOptions extends TlsFiles {
  logger: Logger;
  /** Time between two reads of the files, in milliseconds; default 5 s. */
  intervalMs?: number | undefined;
}

/**
 * Reads certificates and keys from files and follows their changes, so that they are renewed without
 * a restart. What cannot be used is logged, and what was there before stays in use.
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
      // The first time the files may be in the middle of being replaced; later it was logged already.
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
