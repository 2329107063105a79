import { serverNames, serviceNames } from "@storefront/process";
import { describeUnlessMissing, freePort, startPostgres } from "@storefront/testkit";
import type { TestServer } from "@storefront/testkit";
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { buildImages, imageNames, imageOf } from "../build-images.ts";
import type { ImageName } from "../build-images.ts";
import { containerTools, missingContainerTools } from "../container-tools.ts";
import type { ContainerTools } from "../container-tools.ts";
import { runContainer, startContainer, untilReady } from "./containers.ts";
import type { RunningContainer } from "./containers.ts";
import { filesOf, inspectImage, readFileOf } from "./inspect-image.ts";

const tag = "test";
const token = "token-of-the-image-tests";
const mebibyte = 2 ** 20;

/** The part of a CycloneDX document that the tests read. */
const zInventory = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      purl: z.string().startsWith("pkg:npm/"),
      licenses: z.tuple([z.object({ expression: z.string() })]),
    }),
  ),
});

describeUnlessMissing("images", missingContainerTools, () => suite(), { isOptional: true });

function suite(): void {
  const tools = containerTools as ContainerTools;

  beforeAll(async () => {
    await buildImages(tools, { tag });
  }, 600_000);

  describe.each(imageNames)("the image of %s", (name) => {
    const image = imageOf(name, tag);

    it("adds at most 20 MiB to its base", async () => {
      const [own, base] = await Promise.all([
        inspectImage(tools, image),
        inspectImage(tools, tools.baseImage),
      ]);
      expect(own.sizeBytes - base.sizeBytes).toBeLessThanOrEqual(20 * mebibyte);
    });

    it("adds the bundle's files and nothing else", async () => {
      const base = new Set(await filesOf(tools, tools.baseImage));
      const added = (await filesOf(tools, image)).filter((path) => !base.has(path));
      expect(added).toContain("app/main.js");
      const kinds = [
        "app/(main|[\\w-]+-[\\w-]{8})\\.js",
        "app/(LICENSE|LICENSES\\.txt|package\\.json|sbom\\.json)",
        "app/migrations/[a-z]+/\\d{4}_\\w+\\.sql",
        ...(name === "gateway" ? ["app/(pages|api-reference|guides)/.*"] : []),
      ];
      const known = new RegExp(`^(?:${kinds.join("|")})$`);
      expect(added.filter((path) => !known.test(path))).toEqual([]);
      expect(added.filter((path) => /node_modules|\.[cm]?tsx?$|\.map$/.test(path))).toEqual([]);
    });

    it("lists its packages, each with a licence, and includes the texts of the licences", async () => {
      const { components } = zInventory.parse(
        JSON.parse(await readFileOf(tools, image, "app/sbom.json")),
      );
      const names = new Set(components.map((component) => component.name));
      expect(names).toContain(name === "gateway" ? "react" : "@connectrpc/connect");
      for (const other of ["@electric-sql/pglite", "vite", "vitest", "typescript", "rolldown"]) {
        expect(names).not.toContain(other);
      }
      const licenses = await readFileOf(tools, image, "app/LICENSES.txt");
      const missing = components.filter(
        (component) => !licenses.includes(`${component.name} ${component.version} (`),
      );
      expect(missing).toEqual([]);
    });

    it("has no package manager of Node", async () => {
      const managers = /(?:^|\/)(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)(?:\.c?js)?$/;
      expect((await filesOf(tools, image)).filter((path) => managers.test(path))).toEqual([]);
    });

    it("has labels that describe it, and runs as a user other than root", async () => {
      const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
      const { labels, user } = await inspectImage(tools, image);
      expect(labels).toMatchObject({
        "org.opencontainers.image.title": `storefront-${name}`,
        "org.opencontainers.image.version": expect.stringMatching(/^\d+\.\d+\.\d+/),
        "org.opencontainers.image.revision": commit,
        "org.opencontainers.image.licenses": "MIT",
      });
      expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    });
  });

  describe("with a read-only root file system and without capabilities", () => {
    const containers: RunningContainer[] = [];
    const ports = new Map<ImageName, { http: number; grpc: number }>();
    let postgres: TestServer;
    let env: Record<string, string>;

    const url = (name: ImageName) => `http://127.0.0.1:${ports.get(name)?.http}`;
    const start = (name: ImageName) => {
      const container = startContainer(tools, { image: imageOf(name, tag), env });
      containers.push(container);
      return container;
    };
    const cli = (parameters: readonly string[], input = "") =>
      runContainer(tools, { image: imageOf("cli", tag), env, parameters, input });

    beforeAll(async () => {
      postgres = await startPostgres();
      env = {
        DATABASE_URL: postgres.url,
        INGEST_TOKEN: token,
        ADMIN_TOKEN: token,
        SHUTDOWN_DELAY_SECONDS: "0",
      };
      for (const name of serverNames) {
        const http = await freePort();
        const grpc = await freePort();
        ports.set(name, { http, grpc });
        const prefix = name.toUpperCase();
        env[`${prefix}_PORT`] = String(http);
        env[`${prefix}_GRPC_PORT`] = String(grpc);
        env[`${prefix}_URL`] = `http://127.0.0.1:${http}`;
        env[`${prefix}_GRPC_URL`] = `127.0.0.1:${grpc}`;
      }
      ports.set("gateway", { http: await freePort(), grpc: 0 });
      env["PORT"] = String(ports.get("gateway")?.http);
      env["GATEWAY_URL"] = url("gateway");
      env["METRICS_PORT"] = String(await freePort());
    });

    afterAll(async () => {
      for (const container of containers) await container.signal("KILL").catch(() => undefined);
      await postgres?.stop();
    });

    it("migrates, serves, imports, exports and indexes; SIGTERM ends every process with status 0", async () => {
      expect(await cli(["migrate"])).toMatchObject({ status: 0 });
      const running = new Map<ImageName, RunningContainer>();
      for (const name of serviceNames) running.set(name, start(name));
      for (const [name, container] of running) await untilReady(container, `${url(name)}/readyz`);
      running.set("gateway", start("gateway"));
      const gateway = running.get("gateway");
      if (gateway !== undefined) await untilReady(gateway, `${url("gateway")}/readyz`);
      const webhooks = start("webhooks");
      running.set("webhooks", webhooks);
      await untilReady(webhooks, `${url("webhooks")}/readyz`);

      const made = await cli(["generate", "--offers", "20", "--out", "-"]);
      expect(await cli(["import", "-"], made.stdout)).toMatchObject({ status: 0 });
      const id = /"kind":"offer".*?"id":"(\w+)"/.exec(made.stdout)?.[1];
      const offer = await fetch(`${url("gateway")}/offers/${id}`);
      expect(await offer.json()).toMatchObject({ id });
      const exported = await cli(["export", "--out", "-"]);
      expect(exported.stdout.split("\n").length).toBeGreaterThan(20);
      expect(await cli(["reindex", "--json"])).toMatchObject({ status: 0 });
      const pages = ["/explorer/", "/docs", "/docs/guides", "/openapi.json"];
      const responses = await Promise.all(pages.map((page) => fetch(`${url("gateway")}${page}`)));
      expect(responses.map(({ status }) => status)).toEqual(pages.map(() => 200));

      const ends = await Promise.all(
        [...running.values()].map(async (container) => {
          await container.signal("TERM");
          return container.ended;
        }),
      );
      expect(ends.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    }, 300_000);

    it("SIGTERM ends a tool without signal handlers, even as process 1", async () => {
      const parameters = ["generate", "--offers", "1000000", "--out", "-"];
      const container = startContainer(tools, { image: imageOf("cli", tag), parameters });
      containers.push(container);
      await container.firstOutput;
      await container.signal("TERM");
      expect((await container.ended).status).toBe(128 + 15);
    });

    it("reports in one sentence that it has no PGlite, and no `start`", async () => {
      const service = startContainer(tools, {
        image: imageOf("catalog", tag),
        env: { ...env, DATABASE_URL: "pglite:memory:" },
      });
      containers.push(service);
      expect(await service.ended).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^[^\n]+\.\n$/),
      });
      expect(await cli(["start"])).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^[^\n]+\.\n$/),
      });
    });
  });
}
