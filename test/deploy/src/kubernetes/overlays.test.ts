import { describeUnlessMissing } from "@storefront/testkit";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readCompose } from "../compose/read-compose.ts";
import { missingContainerTools } from "../container-tools.ts";
import { zGrpcRoute, zRoute } from "./gateway-api.ts";
import { manifestsDirectory, render, strictProblems } from "./render.ts";
import type { Manifest } from "./render.ts";
import { everyComponent, production, trees } from "./trees.ts";
import { workloadsOf } from "./workloads.ts";

const isRoute = ({ apiVersion }: Manifest) => apiVersion.startsWith("gateway.networking.k8s.io/");
const zService = z.object({ spec: z.object({ ports: z.array(z.object({ port: z.number() })) }) });
const zJob = z.object({ spec: z.object({ activeDeadlineSeconds: z.number() }) });
const daySeconds = 86_400;

describeUnlessMissing("manifests for Kubernetes", missingContainerTools, suite, {
  isOptional: true,
});

function suite(): void {
  test.each(Object.entries(trees))(
    "%s is valid for a current Kubernetes, without unknown fields",
    async (_name, manifestsOf) => {
      const manifests = (await manifestsOf()).filter((manifest) => !isRoute(manifest));
      expect(manifests.length).toBeGreaterThan(20);
      expect(await strictProblems(manifests)).toEqual([]);
    },
  );

  test("job templates are valid", async () => {
    const manifests = await render(join(manifestsDirectory, "jobs"));
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual(
      expect.arrayContaining(["Job import", "Job reindex", "CronJob export", "CronJob backup"]),
    );
    expect(names).toContain("Deployment mirror");
    expect(await strictProblems(manifests)).toEqual([]);
  });

  test("an invalid manifest is detected", async () => {
    const [first] = await trees.base();
    if (first === undefined) throw new Error("no manifest");
    const wrong = { ...first, metadata: { ...first.metadata, lables: {} } };
    expect(await strictProblems([first, wrong])).toHaveLength(1);
  });

  test("every component and overlay is tested", async () => {
    const listed = (await Promise.all([everyComponent, production].map(componentsOf))).flat();
    const present = await readdir(join(manifestsDirectory, "components"));
    expect([...new Set(listed)].toSorted()).toEqual(
      present.map((name) => join(manifestsDirectory, "components", name)).toSorted(),
    );
    expect(await readdir(join(manifestsDirectory, "overlays"))).toEqual(["dev", "prod"]);
  });

  test("routes are valid for the Gateway API and lead to ports of Services", async () => {
    const manifests = await trees["overlays/prod"]();
    const ports = new Set(
      manifests
        .filter(({ kind }) => kind === "Service")
        .flatMap((manifest) =>
          zService
            .parse(manifest)
            .spec.ports.map(({ port }) => `${manifest.metadata.name}:${port}`),
        ),
    );
    const routes = manifests.filter(isRoute).map((manifest) => zRoute.parse(manifest));
    expect(new Set(routes.map(({ kind }) => kind))).toEqual(new Set(["HTTPRoute", "GRPCRoute"]));
    const backends = routes.flatMap(({ spec }) =>
      spec.rules.flatMap(({ backendRefs }) =>
        backendRefs.map(({ name, port }) => `${name}:${port}`),
      ),
    );
    expect(backends.filter((backend) => !ports.has(backend))).toEqual([]);
  });

  const grpcRules = async () => {
    const manifests = await trees["overlays/prod"]();
    return manifests
      .filter(({ kind }) => kind === "GRPCRoute")
      .flatMap((manifest) => zGrpcRoute.parse(manifest).spec.rules);
  };

  test("gRPC from outside reaches every service's reads, and no ingest", async () => {
    const methods = (await grpcRules()).flatMap(({ matches }) =>
      matches.map(({ method }) => method.service),
    );
    const names = ["Catalog", "Changelog", "Pricing", "Reviews", "Search"];
    expect(methods.toSorted()).toEqual(
      names.map((name) => `storefront.${name.toLowerCase()}.v1.${name}Service`),
    );
  });

  test("external callers of gRPC do not decide what is traced", async () => {
    for (const { filters } of await grpcRules()) {
      const removed = filters.flatMap(({ requestHeaderModifier }) => requestHeaderModifier.remove);
      expect(removed.toSorted()).toEqual(["traceparent", "tracestate"]);
    }
  });

  test("a migration has time to build an index of a large table", async () => {
    const job = (await trees.base()).find(({ kind }) => kind === "Job");
    const { spec } = zJob.parse(job);
    expect(spec.activeDeadlineSeconds).toBeGreaterThanOrEqual(daySeconds);
  });

  test("third-party images are those of the stack on one machine, with the same digest", async () => {
    const ofCompose = Object.values(readCompose().services).map(({ image }) => image);
    for (const manifestsOf of [trees["every component"], trees["overlays/dev"]]) {
      const images = workloadsOf(await manifestsOf()).map(({ container }) => container.image);
      const ofOthers = images.filter((image) => !image.startsWith("storefront/"));
      expect(ofOthers.length).toBeGreaterThan(0);
      expect(ofOthers.filter((image) => !ofCompose.includes(image))).toEqual([]);
    }
  });

  test("no tree but the one for development contains a secret's value", async () => {
    for (const tree of ["base", "every component", "overlays/prod"] as const) {
      const kinds = (await trees[tree]()).map(({ kind }) => kind);
      expect(kinds).not.toContain("Secret");
    }
  });
}

/** Paths of the components that a kustomization lists. */
async function componentsOf(directory: string): Promise<string[]> {
  const text = await readFile(join(directory, "kustomization.yaml"), "utf8");
  const { components } = z.object({ components: z.array(z.string()) }).parse(parse(text));
  return components.map((path) => resolve(directory, path));
}
