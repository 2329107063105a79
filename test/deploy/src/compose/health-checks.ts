import { z } from "zod";
import { repeat } from "../load/background.ts";
import type { Background } from "../load/background.ts";
import { containersOf } from "./containers.ts";
import type { PodmanService } from "./podman-service.ts";

/** As the file's `start_interval` and `interval`. */
const startIntervalMs = 1000;
const intervalMs = 10_000;

/**
 * Runs the containers' own health checks: podman leaves their timing to systemd, which may be missing. A container
 * that is not healthy is checked each second, others at the file's interval.
 */
export function startHealthChecks(podman: PodmanService, project: string): Background {
  const checkedAt = new Map<string, number>();
  return repeat(startIntervalMs, async () => {
    // Fails when a container is removed meanwhile.
    const containers = await containersOf(podman, project).catch(() => []);
    const due = containers.filter(
      ({ id, status, health }) =>
        status === "running" &&
        health !== undefined &&
        (health !== "healthy" || performance.now() >= (checkedAt.get(id) ?? 0) + intervalMs),
    );
    const check = async ({ id }: { id: string }) => {
      checkedAt.set(id, performance.now());
      // A container that ends meanwhile is checked again when it runs.
      await podman.get(`containers/${id}/healthcheck`, z.unknown()).catch(() => undefined);
    };
    await Promise.all(due.map(check));
  });
}
