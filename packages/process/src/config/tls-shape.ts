import { z } from "zod";
import { hasNoEffectWithout, isRequiredWith } from "./environment.ts";
import type { EnvironmentRule } from "./environment.ts";

/** Variables of every process that calls services by TLS. */
export const clientTlsShape = {
  /** PEM: what the process proves itself with, as a server and as a client. */
  TLS_CERT_FILE: z.string().optional(),
  /** PEM: the private key of that certificate. */
  TLS_KEY_FILE: z.string().optional(),
  /** PEM: authorities whose certificates the others may have. */
  TLS_CA_FILE: z.string().optional(),
};

/** Variables of every process whose ports may speak TLS. */
export const serverTlsShape = {
  ...clientTlsShape,
  /** Whether callers have to show a certificate. */
  TLS_CLIENT_AUTH: z
    .enum(["none", "request", "require"], "must be none, request or require")
    .default("none"),
};

export const clientTlsRules: readonly EnvironmentRule[] = [
  isRequiredWith("TLS_KEY_FILE", "TLS_CERT_FILE"),
  isRequiredWith("TLS_CERT_FILE", "TLS_KEY_FILE"),
];

export const serverTlsRules: readonly EnvironmentRule[] = [
  ...clientTlsRules,
  whereCallersAreAsked(hasNoEffectWithout("TLS_CLIENT_AUTH", "TLS_CERT_FILE")),
  whereCallersAreAsked(isRequiredWith("TLS_CA_FILE", "TLS_CLIENT_AUTH")),
];

function whereCallersAreAsked(rule: EnvironmentRule): EnvironmentRule {
  return (given) => (given["TLS_CLIENT_AUTH"] === "none" ? undefined : rule(given));
}

const zClientTls = z.object(clientTlsShape);

/** Files of TLS. */
export interface TlsFileSettings {
  certFile: string | undefined;
  keyFile: string | undefined;
  caFile: string | undefined;
}

/** The files that the variables name; undefined where they name none. */
export function tlsFilesOf(config: z.output<typeof zClientTls>): TlsFileSettings | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile } = config;
  if (certFile === undefined && caFile === undefined) return undefined;
  return { certFile, keyFile, caFile };
}
