import type { ServiceName, ServicePorts } from "@storefront/config";

/** What the services process is told when it starts. */
export interface ServicesOptions {
  /** Environment of every service of the stack; see `stackEnvironment`. */
  env: Readonly<Record<string, string | undefined>>;
}

/** From the supervisor to the services process. */
export type ToServices =
  | { type: "start"; options: ServicesOptions }
  /** What is written at first is written; the search may begin to follow it. */
  | { type: "index" }
  | { type: "stop" };

/** From the services process to the supervisor. */
export type FromServices =
  /** All services answer on these ports. */
  | { type: "ready"; ports: Record<ServiceName, ServicePorts> }
  /** They cannot start, for a reason that the user can put right; one sentence. */
  | { type: "failed"; message: string };
