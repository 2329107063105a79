import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import type { z } from "zod";
import type { ContainerTools } from "../container-tools.ts";

/** Longest that a request may take: podman has no limit for a check in a container that ends meanwhile. */
const requestTimeoutMs = 20_000;

/** podman's own server, which Docker's clients can use. */
export interface PodmanService {
  /** DOCKER_HOST of clients. */
  host: string;
  /** The response of podman's API to a path, validated. @throws Error when its status is not 200. */
  get<Schema extends z.ZodType>(path: string, zSchema: Schema): Promise<z.output<Schema>>;
  stop(): Promise<void>;
}

/** Starts it on a socket of this path; resolves when it responds. */
export async function startPodmanService(
  tools: ContainerTools,
  socketPath: string,
): Promise<PodmanService> {
  const host = `unix://${socketPath}`;
  const child = spawn("podman", ["system", "service", "--time=0", host], {
    // Health checks are not left to systemd, which may be missing.
    env: { ...tools.env, DISABLE_HC_SYSTEMD: "true" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const written = text(child.stderr);
  const ended = once(child, "close");
  const read = async (path: string): Promise<string> => {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const asking = request({ socketPath, path: `/v4.0.0/libpod/${path}`, signal }).end();
    const [response] = await once(asking, "response");
    const body = await text(response);
    if (response.statusCode !== 200) throw new Error(`podman: ${path}: ${body}`);
    return body;
  };
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`podman's server ended: ${await written}`);
    return await read("info").then(
      () => true,
      () => false,
    );
  };
  await vi.waitUntil(isUp, { timeout: 30_000 });
  return {
    host,
    get: async (path, zSchema) => zSchema.parse(JSON.parse(await read(path))),
    async stop() {
      child.kill();
      await ended;
    },
  };
}
