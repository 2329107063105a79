import { execFile } from "node:child_process";
import { rename } from "node:fs/promises";
import { promisify } from "node:util";
import { findProgram } from "./servers/find-program.ts";
import { makeTemporaryDirectory } from "./stack/temporary-directory.ts";

const openssl = findProgram("openssl");

/** The program that tests with certificates lack on this machine; undefined if none. */
export const missingOpenssl =
  openssl === undefined ? "no openssl: install it, version 3 or newer" : undefined;

/** Files of a certificate and its private key, both PEM. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** A certificate authority for the duration of a test. */
export interface CertificateAuthority {
  /** Its own certificate, for clients that trust it. */
  caFile: string;
  /**
   * Creates a certificate; replaces one of the same name.
   *
   * @param hosts DNS names in it; default `localhost`, with `127.0.0.1`
   */
  issue(name: string, hosts?: readonly string[]): Promise<CertificateFiles>;
  remove(): Promise<void>;
}

/** Creates an authority whose certificates are valid for a day. */
export async function createCertificateAuthority(): Promise<CertificateAuthority> {
  const directory = await makeTemporaryDirectory();
  const caFile = directory.file("ca.pem");
  const caKeyFile = directory.file("ca-key.pem");
  const run = async (parameters: readonly string[], files: CertificateFiles): Promise<void> => {
    const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1";
    await promisify(execFile)(openssl ?? "openssl", [
      ...request.split(" "),
      ...parameters,
      "-out",
      files.certFile,
      "-keyout",
      files.keyFile,
    ]);
  };
  await run(["-subj", "/CN=authority of a test"], { certFile: caFile, keyFile: caKeyFile });
  return {
    caFile,
    async issue(name, hosts) {
      const files = {
        certFile: directory.file(`${name}.pem`),
        keyFile: directory.file(`${name}-key.pem`),
      };
      const made = { certFile: `${files.certFile}.new`, keyFile: `${files.keyFile}.new` };
      const names = hosts?.map((host) => `DNS:${host}`) ?? ["DNS:localhost", "IP:127.0.0.1"];
      const extensions = `-addext subjectAltName=${names.join(",")}`;
      const constraints = "-addext basicConstraints=critical,CA:FALSE";
      const parameters = `-subj /CN=${name} -CA ${caFile} -CAkey ${caKeyFile} ${extensions} ${constraints}`;
      await run(parameters.split(" "), made);
      await rename(made.keyFile, files.keyFile);
      await rename(made.certFile, files.certFile);
      return files;
    },
    remove: () => directory.remove(),
  };
}
