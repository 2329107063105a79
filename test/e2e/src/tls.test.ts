import {
  createCertificateAuthority,
  describeOnEachDatabase,
  describeUnlessMissing,
  missingOpenssl,
  runCli,
  startProgram,
} from "@storefront/testkit";
import type { CertificateAuthority, CertificateFiles, RunningProgram } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

const ingestToken = "a-token-for-the-tests";

/** Certificates are issued for `localhost`. */
function secureUrlOf({ url }: RunningProgram): string {
  return url.replace("http://127.0.0.1", "https://localhost");
}

const record = { id: "offer-1", namespace: "calluna", title: "Heather", offerType: "BASE_GAME" };
const offerLine = `${JSON.stringify({ kind: "offer", observedAt: "2026-01-01T00:00:00Z", record })}\n`;

describeUnlessMissing("processes with mutual TLS", missingOpenssl, () => {
  describeOnEachDatabase(
    "over one database",
    (database) => {
      let authority: CertificateAuthority;
      const programs: RunningProgram[] = [];
      let catalog: RunningProgram;
      let gateway: RunningProgram;
      let importer: CertificateFiles;

      const start = async (main: string, env: Record<string, string>): Promise<RunningProgram> => {
        const common = { LOG_LEVEL: "info", SHUTDOWN_DELAY_SECONDS: "0", HOST: "127.0.0.1" };
        const program = await startProgram({ main, env: { ...common, ...env } });
        programs.push(program);
        return program;
      };
      const tlsOf = ({ certFile, keyFile }: CertificateFiles) => ({
        TLS_CERT_FILE: certFile,
        TLS_KEY_FILE: keyFile,
        TLS_CA_FILE: authority.caFile,
      });

      beforeAll(async () => {
        authority = await createCertificateAuthority();
        importer = await authority.issue("importer");
        const { url } = database.options();
        const { status, stderr } = await runCli(["migrate"], { env: { DATABASE_URL: url } });
        if (status !== 0) throw new Error(stderr);
        const service = {
          DATABASE_URL: url,
          INGEST_TOKEN: ingestToken,
          TLS_CLIENT_AUTH: "require",
          ...tlsOf(await authority.issue("service")),
        };
        const zeroPorts = (name: string) => ({ [`${name}_PORT`]: "0", [`${name}_GRPC_PORT`]: "0" });
        catalog = await start("services/catalog/src/main.ts", {
          ...service,
          ...zeroPorts("CATALOG"),
        });
        const CATALOG_URL = secureUrlOf(catalog);
        const changelog = await start("services/changelog/src/main.ts", {
          ...service,
          ...zeroPorts("CHANGELOG"),
          CATALOG_URL,
        });
        gateway = await start("gateway/src/main.ts", {
          ...tlsOf(await authority.issue("gateway")),
          PORT: "0",
          METRICS_PORT: "0",
          // Every request must reach a service.
          RESPONSE_CACHE_MIB: "0",
          CATALOG_URL,
          CHANGELOG_URL: secureUrlOf(changelog),
        });
      });
      afterAll(async () => {
        await Promise.all(programs.map((program) => program.stop()));
        await authority.remove();
      });

      it("import, follow and respond", async () => {
        const { status } = await runCli(["import", "-"], {
          stdin: offerLine,
          env: {
            CATALOG_GRPC_URL: catalog.grpcAddress.replace("127.0.0.1", "https://localhost"),
            INGEST_TOKEN: ingestToken,
            ...tlsOf(importer),
          },
        });
        expect(status).toBe(0);
        const textOf = async (path: string) => await (await fetch(`${gateway.url}${path}`)).text();
        expect(await textOf("/offers/offer-1")).toContain("Heather");
        await vi.waitUntil(async () => (await textOf("/changelist")).includes("offer-1"));
      });

      it("are reported as healthy by doctor", async () => {
        const env = {
          ...tlsOf(importer),
          CATALOG_URL: secureUrlOf(catalog),
        };
        const { stdout } = await runCli(["doctor", "--json"], { env });
        const { checks } = JSON.parse(stdout) as { checks: { name: string; finding: string }[] };
        const catalogCheck = checks.find(({ name }) => name === "catalog service");
        expect(catalogCheck?.finding).toMatch(/^well, at https:/);
      });
    },
    ["postgres"],
  );
});
