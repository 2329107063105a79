import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { vi } from "vitest";
import { z } from "zod";
import type { ContainerTools } from "../container-tools.ts";

const rules = resolve(import.meta.dirname, "../../../../deploy/monitoring/prometheus");
const image = "docker.io/library/debian:bookworm-slim";
const name = "storefront-test-prometheus";

/** The targets, by the names of services on the network. */
const targets = [
  "gateway:4900",
  "catalog:4101",
  "pricing:4102",
  "reviews:4103",
  "changelog:4104",
  "search:4105",
  "webhooks:4106",
  "ingest:4300",
];

const zTargets = z.object({
  data: z.object({
    activeTargets: z.array(
      z.object({
        labels: z.object({ instance: z.string() }),
        health: z.string(),
        lastError: z.string(),
      }),
    ),
  }),
});
const zResult = z.object({
  data: z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()) })) }),
});

/** A Prometheus in a container of its own, on the stack's network of services. */
export interface Prometheus {
  /** Each target's address with its health, `up` when its metrics were read; once all have been tried. */
  targets(): Promise<string[]>;
  /** The labels `service` in the result of a query, sorted. */
  servicesOf(query: string): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * Joins Prometheus to the stack's network of services, with the rules of deploy/monitoring.
 *
 * @param program this machine's, which runs on the libraries of the same Debian in the container
 * @param directory for its configuration
 */
export async function startPrometheus(
  tools: ContainerTools,
  { program, project, directory }: { program: string; project: string; directory: string },
): Promise<Prometheus> {
  const network = `${project}_services`;
  writeFileSync(
    join(directory, "prometheus.yml"),
    JSON.stringify({
      global: { scrape_interval: "2s", evaluation_interval: "2s" },
      rule_files: ["/rules/*-rules.yaml"],
      scrape_configs: [{ job_name: "storefront", static_configs: [{ targets }] }],
    }),
  );
  await tools.run("podman", [
    "run",
    "--detach",
    "--replace",
    `--name=${name}`,
    // So that docker-compose removes it with the stack, however the test ends.
    `--label=com.docker.compose.project=${project}`,
    "--label=com.docker.compose.service=prometheus",
    "--label=com.docker.compose.oneoff=False",
    `--network=${network}`,
    `--volume=${program}:/usr/bin/prometheus:ro`,
    `--volume=${rules}:/rules:ro`,
    `--volume=${directory}/prometheus.yml:/prometheus.yml:ro`,
    image,
    "prometheus",
    "--config.file=/prometheus.yml",
    "--storage.tsdb.path=/tmp/data",
  ]);
  const format = `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`;
  const address = (await tools.run("podman", ["inspect", `--format=${format}`, name])).trim();
  const get = async <Schema extends z.ZodType>(path: string, zSchema: Schema) => {
    const response = await fetch(`http://${address}:9090/api/v1/${path}`);
    return zSchema.parse(await response.json());
  };
  return {
    async targets() {
      let states: string[] = [];
      const isTried = async () => {
        const read = await get("targets", zTargets).catch(() => undefined);
        const active = read?.data.activeTargets ?? [];
        states = active.map(({ labels, health, lastError }) =>
          `${labels.instance} ${health} ${lastError}`.trim(),
        );
        return active.length > 0 && active.every(({ health }) => health !== "unknown");
      };
      await vi.waitUntil(isTried, { timeout: 60_000, interval: 300 });
      return states.toSorted();
    },
    async servicesOf(query) {
      const { data } = await get(`query?query=${encodeURIComponent(query)}`, zResult);
      return data.result.map(({ metric }) => metric["service"] ?? "").toSorted();
    },
    async stop() {
      await tools.run("podman", ["rm", "--force", "--time=1", name]);
    },
  };
}

/** The result of {@link Prometheus.targets} when every process is scraped. */
export const allUp = targets.map((target) => `${target} up`).toSorted();
