import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { composeDirectory } from "./read-compose.ts";

const zHealthcheck = z.looseObject({
  test: z.tuple([z.literal("CMD")], z.string()),
  start_interval: z.string(),
});
const zFile = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), z.looseObject({ healthcheck: zHealthcheck.optional() })),
});

/**
 * deploy/docker/compose.yaml in the form that docker-compose 1.29 and podman 4.3 understand.
 *
 * - `name` and `start_interval` are newer than that docker-compose. The name is a parameter of its command line, the
 *   interval is used by `startHealthChecks`.
 * - Health checks go through a shell: podman's API for Docker's clients splits all others at spaces.
 *
 * @returns the project's name, and the file as JSON, which is YAML
 */
export function portableCompose(): { name: string; text: string } {
  const source = readFileSync(join(composeDirectory, "compose.yaml"), "utf8");
  const { name, services, ...rest } = zFile.parse(parse(source, { merge: true }));
  const portable = Object.entries(services).map(([service, { healthcheck, ...others }]) => [
    service,
    healthcheck === undefined ? others : { ...others, healthcheck: throughShell(healthcheck) },
  ]);
  return { name, text: JSON.stringify({ ...rest, services: Object.fromEntries(portable) }) };
}

function throughShell(healthcheck: z.output<typeof zHealthcheck>) {
  const [, ...command] = healthcheck.test;
  const test = ["CMD-SHELL", command.map(quoted).join(" ")];
  // Left out of JSON.
  return { ...healthcheck, test, start_interval: undefined };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
