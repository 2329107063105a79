import type { ServiceName, ServicePorts } from "./service-names.ts";

/** What the services process is told when it starts. */
export interface ServicesOptions {
  databaseUrl: string;
  /** Default: as the URL says. */
  databaseDriver?: "pglite" | "postgres" | "neon" | undefined;
  ingestToken: string;
  ports: Readonly<Record<ServiceName, ServicePorts>>;
  logLevel: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
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
