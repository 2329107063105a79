import {
  createCertificateAuthority,
  describeOnEachDatabase,
  describeUnlessMissing,
  missingOpenssl,
  runCli,
  startProgram,
} from "@storefront/testkit";
import type { CertificateAuthority, CertificateFiles, RunningProgram } from "@storefront/testkit";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get } from "node:https";
import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";

const ingestToken = "a-token-for-the-tests";

/** How often a state that is waited for is looked at, in milliseconds. */
const intervalMs = 50;

/** Certificates are made for this name. */
function secureUrlOf({ url }: RunningProgram): string {
  return url.replace("http://127.0.0.1", "https://localhost");
}

function secureGrpcUrlOf({ grpcAddress }: RunningProgram): string {
  return grpcAddress.replace("127.0.0.1", "https://localhost");
}

function offerLine(id: string): string {
  const record = { id, namespace: "calluna", title: "Heather", offerType: "BASE_GAME" };
  return `${JSON.stringify({ kind: "offer", observedAt: new Date().toISOString(), record })}\n`;
}

describeUnlessMissing("processes with mutual TLS", missingOpenssl, () => {
  describeOnEachDatabase(
    "over one database",
    (database) => {
      let authority: CertificateAuthority;
      let stranger: CertificateAuthority;
      const programs: RunningProgram[] = [];
      let catalog: RunningProgram;
      let changelog: RunningProgram;
      let gateway: RunningProgram;
      let importer: CertificateFiles;

      const start = async (main: string, env: Record<string, string>): Promise<RunningProgram> => {
        const common = { LOG_LEVEL: "info", SHUTDOWN_DELAY_SECONDS: "0", HOST: "127.0.0.1" };
        const program = await startProgram({ main, env: { ...common, ...env } });
        programs.push(program);
        return program;
      };
      const tlsOf = ({ certFile, keyFile }: CertificateFiles, { caFile } = authority) => ({
        TLS_CERT_FILE: certFile,
        TLS_KEY_FILE: keyFile,
        TLS_CA_FILE: caFile,
      });

      beforeAll(async () => {
        [authority, stranger] = await Promise.all([
          createCertificateAuthority(),
          createCertificateAuthority(),
        ]);
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
        changelog = await start("services/changelog/src/main.ts", {
          ...service,
          ...zeroPorts("CHANGELOG"),
          CATALOG_URL,
        });
        gateway = await start("gateway/src/main.ts", {
          ...tlsOf(await authority.issue("gateway")),
          PORT: "0",
          METRICS_PORT: "0",
          // Every question is to reach a service.
          RESPONSE_CACHE_MIB: "0",
          CATALOG_URL,
          CHANGELOG_URL: secureUrlOf(changelog),
        });
      });
      afterAll(async () => {
        await Promise.all(programs.map((program) => program.stop()));
        await Promise.all([authority.remove(), stranger.remove()]);
      });

      const importOffer = (id: string, env: Record<string, string>) =>
        runCli(["import", "-"], {
          stdin: offerLine(id),
          env: { CATALOG_GRPC_URL: secureGrpcUrlOf(catalog), INGEST_TOKEN: ingestToken, ...env },
        });
      const statusOf = async (path: string) => {
        const response = await fetch(`${gateway.url}${path}`);
        await response.arrayBuffer();
        return response.status;
      };
      const until = async (condition: () => boolean | Promise<boolean>) => {
        while (!(await condition())) await setTimeout(intervalMs);
      };

      it("import, follow and answer", async () => {
        expect(await importOffer("offer-1", tlsOf(importer))).toMatchObject({ status: 0 });
        expect(await statusOf("/offers/offer-1")).toBe(200);
        await until(async () => {
          const response = await fetch(`${gateway.url}/changelist`);
          return (await response.text()).includes("offer-1");
        });
      });

      it("are found well by doctor", async () => {
        const env = {
          ...tlsOf(importer),
          CATALOG_URL: secureUrlOf(catalog),
        };
        const { stdout } = await runCli(["doctor", "--json"], { env });
        const { checks } = JSON.parse(stdout) as { checks: { name: string; finding: string }[] };
        const catalogCheck = checks.find(({ name }) => name === "catalog service");
        expect(catalogCheck?.finding).toMatch(/^well, at https:/);
      });

      it("take no import that does not prove itself, does not trust them, or is plain text", async () => {
        const { TLS_CA_FILE } = tlsOf(importer);
        const foreign = await stranger.issue("importer");
        const plain = { CATALOG_GRPC_URL: catalog.grpcAddress };
        const refused: Record<string, string>[] = [
          { TLS_CA_FILE },
          { ...tlsOf(foreign), TLS_CA_FILE },
          tlsOf(importer, stranger),
          plain,
        ];
        for (const env of refused) {
          expect(await importOffer("offer-refused", env)).toMatchObject({ status: 1 });
        }
        const { status, stderr } = await importOffer("offer-refused", {
          ...tlsOf(importer),
          ...plain,
        });
        expect(status).toBe(1);
        expect(stderr).toContain("in clear");
        expect(stderr).not.toContain(ingestToken);
        expect(await statusOf("/offers/offer-refused")).toBe(404);
      });

      it("answer probes and scrapers, which have no certificate", async () => {
        const ca = await readFile(authority.caFile);
        for (const path of ["/livez", "/readyz", "/metrics"]) {
          const [response] = (await once(
            get(`${secureUrlOf(catalog)}${path}`, { ca, agent: false }),
            "response",
          )) as [IncomingMessage];
          expect([path, response.statusCode]).toEqual([path, 200]);
          response.destroy();
        }
      });

      it("lose no call while the certificates of all of them are replaced", async () => {
        const statuses = new Map<number, number>();
        const over = new AbortController();
        const asking = (async () => {
          while (!over.signal.aborted) {
            const status = await statusOf("/offers/offer-1");
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        })();
        await Promise.all([authority.issue("service"), authority.issue("gateway")]);
        const isRenewed = (program: RunningProgram) =>
          program.log().some(({ msg }) => msg === "TLS files were read anew");
        await until(() => programs.every(isRenewed));
        expect(await importOffer("offer-2", tlsOf(importer))).toMatchObject({ status: 0 });
        expect(await statusOf("/offers/offer-2")).toBe(200);
        over.abort();
        await asking;
        expect([...statuses.keys()]).toEqual([200]);
      });
    },
    ["postgres"],
  );
});
