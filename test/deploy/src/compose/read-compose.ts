import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** The directory of compose.yaml and its files. */
export const composeDirectory = resolve(import.meta.dirname, "../../../../deploy/docker");

const zService = z.strictObject({
  image: z.string(),
  build: z
    .strictObject({
      context: z.string(),
      dockerfile: z.string(),
      args: z.record(z.string(), z.string().nullable()),
    })
    .optional(),
  profiles: z.array(z.string()).optional(),
  user: z.string().optional(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  restart: z.string(),
  logging: z.object({ driver: z.string() }),
  stop_grace_period: z.templateLiteral([z.number(), "s"]).optional(),
  stop_signal: z.string().optional(),
  shm_size: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  volumes: z.array(z.string()).optional(),
  tmpfs: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({ condition: z.enum(["service_healthy", "service_completed_successfully"]) }),
    )
    .default({}),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.number(),
      start_period: z.string(),
      start_interval: z.string(),
    })
    .optional(),
});

/** A service of the file, merged with the file's templates. */
export type ComposeService = z.output<typeof zService>;

const zCompose = z.object({
  name: z.string(),
  services: z.record(z.string(), zService),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean() }).nullable()),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

/**
 * deploy/docker/compose.yaml.
 *
 * @throws ZodError when it has members that the Compose Specification or the tests do not know.
 */
export function readCompose(): z.output<typeof zCompose> {
  const text = readFileSync(resolve(composeDirectory, "compose.yaml"), "utf8");
  return zCompose.parse(parse(text, { merge: true }));
}
