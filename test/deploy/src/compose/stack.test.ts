import {
  describeUnlessMissing,
  findProgram,
  makeTemporaryDirectory,
  missingTypesenseProgram,
  sharedData,
} from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { idsOf, linesOf } from "../cluster/import-data.ts";
import { containerTools, missingContainerTools } from "../container-tools.ts";
import type { ContainerTools } from "../container-tools.ts";
import { buildImages } from "../build-images.ts";
import { makeStandIns } from "../make-stand-ins.ts";
import { patienceMs, prepareStack, profiles } from "./compose-stack.ts";
import type { ComposeStack } from "./compose-stack.ts";
import { linesIn, offersFound, offersIn } from "./stack-data.ts";
import { readerNames, startStackLoad } from "./stack-load.ts";
import { allUp, startPrometheus } from "./start-prometheus.ts";

const data = sharedData();
const prometheusProgram = findProgram("prometheus");
const missing =
  missingContainerTools ??
  missingTypesenseProgram() ??
  (findProgram("docker-compose") === undefined ? "no docker-compose: install it" : undefined) ??
  (prometheusProgram === undefined ? "no Prometheus: install prometheus" : undefined) ??
  (data === undefined ? "there is no data to import" : undefined);

const processes = ["catalog", "changelog", "gateway", "pricing", "reviews", "search"];
const below = ["postgres", "redis", "typesense"];
const ofProfiles = ["ingest", "webhooks"];
const always = [...processes, ...below].toSorted();
const all = [...always, ...ofProfiles].toSorted();
/** PostgreSQL last: its end leaves silent connections, which fail at their next use. */
const killed = [...all.filter((name) => name !== "postgres"), "postgres"];

/** Reads that may fail while a container is down, since they need its data; with the status that they get. */
const mayFail: Readonly<Record<string, readonly string[]>> = {
  postgres: readerNames.map((reader) => `${reader} 503`),
  // It knows whether an offer exists.
  catalog: ["offer 503", "prices 503", "search 503"],
  pricing: ["prices 503"],
  reviews: ["reviews 503"],
  changelog: ["changes 503"],
  search: ["search 503"],
  typesense: ["search 503"],
  gateway: readerNames.map((reader) => `${reader} no response`),
};

/** Longest that a step may take on a busy machine; a minute is usual. */
const limitMs = 600_000;
vi.setConfig({ testTimeout: limitMs, hookTimeout: limitMs });

describeUnlessMissing("deploy/docker/compose.yaml by podman", missing, suite, { isOptional: true });

function suite(): void {
  if (data === undefined || prometheusProgram === undefined) return;
  const tools = containerTools as ContainerTools;
  const { catalog, community, prices } = data.importFiles;
  const portions = [
    { file: catalog, lines: 1100 },
    { file: community, lines: 100 },
    { file: prices, lines: 200 },
  ];
  let stack: ComposeStack;
  let directory: TemporaryDirectory;

  const cli = (parameters: readonly string[], input?: string) =>
    stack.compose(["run", "--rm", "-T", "cli", ...parameters], input);
  const exportAll = () => cli(["export", "--out", "-"]);
  const found = () => offersFound(stack.gatewayUrl);

  beforeAll(async () => {
    directory = await makeTemporaryDirectory();
    await makeStandIns(tools);
    await buildImages(tools, { tag: "dev" });
    stack = await prepareStack(tools);
    // Leftovers of a killed run.
    await stack.down(["--volumes", "--remove-orphans"]);
  });

  afterAll(async () => {
    await stack?.remove();
    await directory?.remove();
  });

  test("starts from its file: the migration ends, every other container is healthy", async () => {
    await stack.compose(["up", "--detach"]);
    expect(await stack.untilHealthy()).toEqual(always);
    expect(await stack.container("migrate")).toMatchObject({ status: "exited", exitCode: 0 });
  });

  test("has a default route only in containers on the public network", async () => {
    await stack.compose([...profiles, "up", "--detach"]);
    expect(await stack.untilHealthy()).toEqual(all);
    const open: string[] = [];
    for (const { id, service } of await stack.containers()) {
      if (service === "migrate") continue;
      const routes = await tools.run("podman", ["exec", id, "cat", "/proc/net/route"]);
      if (/^\S+\s+00000000\s/m.test(routes)) open.push(service);
    }
    expect(open.toSorted()).toEqual(["gateway", "ingest", "webhooks"]);
  });

  test("imports from standard input, exports the same, and finds it with Typesense", async () => {
    const lines: string[] = [];
    for await (const line of linesOf(portions)) lines.push(line);
    await cli(["import", "-"], lines.join(""));
    const exported = offersIn(await exportAll());
    expect(exported).toEqual(new Set(await idsOf(portions, "offer")));
    await expect.poll(found, { timeout: patienceMs }).toBe(exported.size);
  });

  test("lets a Prometheus on its network scrape every process", async () => {
    const prometheus = await startPrometheus(tools, {
      program: prometheusProgram,
      project: stack.project,
      directory: directory.path,
    });
    try {
      expect(await prometheus.targets()).toEqual(allUp);
      const scraped = () => prometheus.servicesOf("process_start_time_seconds");
      await expect.poll(scraped).toEqual([...processes, ...ofProfiles].toSorted());
    } finally {
      await prometheus.stop();
    }
  });

  test("restarts every killed container, and loses no accepted write", async () => {
    const load = startStackLoad(stack, await idsOf(portions, "offer"));
    const unexpected: string[] = [];
    try {
      for (const service of killed) {
        await stack.kill(service);
        await stack.untilHealthy();
        const { reads } = load;
        const accepted = load.accepted.length;
        // Neither readers nor the writer wait for the killed container.
        const hasContinued = () => load.accepted.length > accepted && load.reads > reads + 20;
        await vi.waitUntil(hasContinued, { timeout: patienceMs });
        const failures = load.takeFailures();
        const counts = [...failures].map(([what, count]) => `${count} ${what}`);
        process.stderr.write(`${service} was killed: ${counts.join(", ") || "no read failed"}\n`);
        const allowed = mayFail[service] ?? [];
        const others = [...failures.keys()].filter((what) => !allowed.includes(what));
        unexpected.push(...others.map((what) => `${service}: ${what}`));
      }
    } finally {
      await load.stop();
    }
    expect(unexpected).toEqual([]);
    const exported = offersIn(await exportAll());
    expect(load.accepted.filter((id) => !exported.has(id))).toEqual([]);
    await expect.poll(found, { timeout: patienceMs }).toBe(exported.size);
  });

  test("preserves its data across `down` and `up`", async () => {
    const before = linesIn(await exportAll());
    await stack.down();
    expect(await stack.containers()).toEqual([]);
    await stack.compose(["up", "--detach"]);
    expect(await stack.untilHealthy()).toEqual(always);
    const exported = await exportAll();
    // More than before, where the changelog had not read the last writes.
    const after = new Set(linesIn(exported));
    expect(before.filter((line) => !after.has(line))).toEqual([]);
    await expect.poll(found, { timeout: patienceMs }).toBe(offersIn(exported).size);
  });
}
