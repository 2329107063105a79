import { serviceNames } from "@storefront/process";
import type { CertificateAuthority } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { stacks } from "./stacks.ts";

const { namespace, ingestToken } = stacks.production;

/** Address of the database outside, as its superuser. */
export const databaseUrl =
  "postgres://storefront:storefront@postgres.databases.svc.cluster.local:5432/storefront";

/** PEM texts of a client's certificate. */
export interface ClientCertificate {
  ca: Buffer;
  cert: Buffer;
  key: Buffer;
}

/** The Secrets that the overlay for production and its components expect, with certificates of an authority. */
export async function secretsOfProduction(authority: CertificateAuthority): Promise<object[]> {
  const services = serviceNames.map((name) =>
    secret(name, { DATABASE_URL: databaseUrl, INGEST_TOKEN: ingestToken }),
  );
  const certificates = await Promise.all(
    [...serviceNames, "webhooks", "gateway", "importer", "ingest"].map(async (name) => {
      const { ca, cert, key } = await certificateOf(authority, name);
      const members = {
        "ca.crt": ca.toString(),
        "tls.crt": cert.toString(),
        "tls.key": key.toString(),
      };
      return { ...secret(`${name}-tls`, members), type: "kubernetes.io/tls" };
    }),
  );
  return [
    ...services,
    secret("gateway", {
      REDIS_URL: "redis://redis.databases.svc.cluster.local:6379",
      API_KEYS: `partner:${apiKey.key}:${apiKey.limit}`,
    }),
    secret("webhooks", { DATABASE_URL: databaseUrl, ADMIN_TOKEN: adminToken }),
    secret("ingest", { INGEST_HTTP_TOKEN: ingestHttpToken }),
    secret("typesense", { TYPESENSE_API_KEY: typesenseKey }),
    secret("backup", { DATABASE_URL: databaseUrl }),
    ...certificates,
  ];
}

/** Token of uploads to ingest by HTTP. */
export const ingestHttpToken = "http-token-of-the-tests";

/** Token of requests that manage webhooks. */
export const adminToken = "admin-token-of-the-tests";

/** API key of a client, with its limit in requests per minute. */
export const apiKey = { key: "api-key-of-the-tests", limit: 5000 };

/** Key of the Typesense cluster. */
export const typesenseKey = "key-of-the-tests";

/** Issues a certificate with the names of a process's Services. */
export async function certificateOf(
  authority: CertificateAuthority,
  name: string,
): Promise<ClientCertificate> {
  const { certFile, keyFile } = await authority.issue(name, [name, `${name}-grpc`]);
  return {
    ca: await readFile(authority.caFile),
    cert: await readFile(certFile),
    key: await readFile(keyFile),
  };
}

function secret(name: string, stringData: Readonly<Record<string, string>>) {
  return { apiVersion: "v1", kind: "Secret", metadata: { namespace, name }, stringData };
}
