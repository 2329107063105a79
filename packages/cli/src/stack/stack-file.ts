import { rm } from "node:fs/promises";
import { dataFile, readIfPresent, writeFileWhole } from "./data-directory.ts";

/** Where a service is reached. */
export interface ServiceAddress {
  /** Base URL of the Connect port. */
  url: string;
  /** `host:port` of the gRPC port. */
  grpcAddress: string;
}

/** A stack as its data directory tells of it, for the other commands. */
export interface RunningStack {
  /** Process id of `storefront start`. */
  pid: number;
  /** Base URL of the gateway. */
  gatewayUrl: string;
  /** Services by name. */
  services: Readonly<Record<string, ServiceAddress>>;
}

/** Leaves the addresses of a running stack in its data directory. */
export async function writeStackFile(directory: string, stack: RunningStack): Promise<void> {
  await writeFileWhole(dataFile.stack(directory), `${JSON.stringify(stack, undefined, 2)}\n`);
}

/** Takes the addresses away again. */
export async function removeStackFile(directory: string): Promise<void> {
  await rm(dataFile.stack(directory), { force: true });
}

/**
 * The stack that was started on a data directory; undefined when there is none. After a kill it may
 * be gone although the file is there.
 */
export async function readStackFile(directory: string): Promise<RunningStack | undefined> {
  const text = await readIfPresent(dataFile.stack(directory));
  if (text === undefined) return undefined;
  try {
    const stack: unknown = JSON.parse(text);
    return isRunningStack(stack) ? stack : undefined;
  } catch {
    return undefined;
  }
}

function isRunningStack(value: unknown): value is RunningStack {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    typeof value.pid === "number" &&
    "gatewayUrl" in value &&
    typeof value.gatewayUrl === "string" &&
    "services" in value &&
    typeof value.services === "object" &&
    value.services !== null
  );
}
