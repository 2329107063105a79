import { z } from "zod";
import { hasNoEffectWithout, isRequiredWith, option } from "./environment.ts";
import type { EnvironmentRule } from "./environment.ts";

/** Options of every process that calls services by TLS. */
export const clientTlsShape = {
  certFile: option("TLS_CERT_FILE", z.string().optional(), "none: plain text").describe(
    "PEM file of the certificate that a process shows, as a server on both ports and as a client, then those that it depends on. With `TLS_KEY_FILE`.",
  ),
  keyFile: option("TLS_KEY_FILE", z.string().optional()).describe(
    "PEM file of that certificate's private key, not encrypted.",
  ),
  caFile: option("TLS_CA_FILE", z.string().optional(), "Node's").describe(
    "PEM file of the authorities that are trusted: of services at `https://` addresses, and of their callers.",
  ),
};

/** Options of every process whose ports may speak TLS. */
export const serverTlsShape = {
  ...clientTlsShape,
  clientAuth: option(
    "TLS_CLIENT_AUTH",
    z.enum(["none", "request", "require"], "must be none, request or require").default("none"),
  ).describe(
    "Whether callers have to show a certificate: `none`, `request` (asked for, everybody is taken) or `require` (of RPCs; `/livez`, `/readyz` and `/metrics` need none). With `TLS_CERT_FILE` and `TLS_CA_FILE`.",
  ),
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

/** Files of TLS in PEM format, which may be replaced while they are used. */
export type TlsFiles = z.output<z.ZodObject<typeof clientTlsShape>>;

export type ServerTlsOptions = z.output<z.ZodObject<typeof serverTlsShape>>;

/** The options of TLS; undefined where none of them names a file. */
export function tlsFilesOf<Tls extends TlsFiles>(tls: Tls): Tls | undefined {
  return tls.certFile === undefined && tls.caFile === undefined ? undefined : tls;
}
