import { z } from "zod";
import type { PodmanService } from "./podman-service.ts";

const projectLabel = "com.docker.compose.project";
const serviceLabel = "com.docker.compose.service";

const zListed = z.array(z.object({ Id: z.string(), Labels: z.record(z.string(), z.string()) }));
const zInspected = z.object({
  RestartCount: z.number(),
  State: z.object({
    Status: z.string(),
    Pid: z.number(),
    ExitCode: z.number(),
    Health: z.object({ Status: z.string() }).optional(),
  }),
  Config: z.object({ Healthcheck: z.looseObject({}).optional() }),
});

/** A container of the stack. */
export interface Container {
  id: string;
  /** Its name in compose.yaml. */
  service: string;
  /** `running`, `exited` and so on. */
  status: string;
  /** Of its first process; 0 while there is none. */
  pid: number;
  exitCode: number;
  restarts: number;
  /** `healthy`, `starting` or `unhealthy`; undefined without a health check. */
  health: string | undefined;
}

/** The containers of a project, or of one service of it, including those that have ended. */
export async function containersOf(
  podman: PodmanService,
  project: string,
  service?: string,
): Promise<Container[]> {
  const label = [`${projectLabel}=${project}`];
  if (service !== undefined) label.push(`${serviceLabel}=${service}`);
  const filters = encodeURIComponent(JSON.stringify({ label }));
  const listed = await podman.get(`containers/json?all=true&filters=${filters}`, zListed);
  return await Promise.all(
    listed.map(async ({ Id: id, Labels }) => {
      const { RestartCount, State, Config } = await podman.get(`containers/${id}/json`, zInspected);
      return {
        id,
        service: Labels[serviceLabel] ?? "",
        status: State.Status,
        pid: State.Pid,
        exitCode: State.ExitCode,
        restarts: RestartCount,
        health: Config.Healthcheck === undefined ? undefined : State.Health?.Status,
      };
    }),
  );
}
