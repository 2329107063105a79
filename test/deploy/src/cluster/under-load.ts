import { credentials } from "@grpc/grpc-js";
import { vi } from "vitest";
import { together } from "../load/background.ts";
import { followEntries } from "../load/entry-follower.ts";
import { startGrpcLoad } from "../load/grpc-load.ts";
import { startHttpLoad } from "../load/http-load.ts";
import type { ReadRequest } from "../load/http-load.ts";
import { startOfferWriter } from "../load/offer-writer.ts";
import { Tally } from "../load/tally.ts";
import type { Failure } from "../load/tally.ts";
import type { WebhookReceiver } from "../load/webhook-receiver.ts";
import { entriesAfter, newestEntry, titlesOf } from "./change-log.ts";
import type { LogEntry } from "./change-log.ts";
import { namespace } from "./cluster.ts";
import type { ClientCertificate } from "./secrets.ts";
import { stacks } from "./stacks.ts";

/** What the load is put on. */
export interface LoadTarget {
  gateway: { host: string; port: number };
  /** Address of the catalog's Service. */
  catalogHost: string;
  requests: readonly ReadRequest[];
  offerIds: readonly string[];
  /** Of a client of the services. */
  certificate: ClientCertificate;
  webhook: WebhookReceiver;
}

/** The outcome of the load. */
export interface LoadReport {
  /** Requests by kind. */
  succeeded: Record<string, number>;
  /** First of what failed, by kind; empty when nothing did. */
  failures: Record<string, unknown>;
  /** Titles of accepted writes that are missing in the log. */
  unlogged: string[];
  /** Responses that said that a part is unavailable. */
  unavailable: Failure[];
  /** Ids of the log's entries that the follower did not get, in the order of the log. */
  missed: string[];
  /** Ids that it got twice, or out of order. */
  repeated: string[];
  /** Ids of the log's entries that were not sent to the webhook. */
  undelivered: string[];
  /** How long the load went on. */
  seconds: number;
  /** Entries written meanwhile. */
  entries: number;
  /** Responses with 200 that had to do without a service. */
  degraded: number;
  /** Connections that the follower needed. */
  connections: number;
}

const grpcPort = 4201;
const clusterDns = "10.125.0.10:53";

/**
 * Does something while requests come in over new and over persistent connections, over gRPC by one address
 * and by all, offers are written, a client follows the changes, and a webhook receives them.
 */
export async function underLoad(
  target: LoadTarget,
  work: (progress: { rounds: (count: number) => Promise<void> }) => Promise<void>,
): Promise<LoadReport> {
  const { gateway, catalogHost, requests, offerIds, certificate, webhook } = target;
  const { ca, key, cert } = certificate;
  const mutualTls = credentials.createSsl(ca, key, cert);
  const tallies = {
    newConnections: new Tally("reads over new connections"),
    persistentConnections: new Tally("reads over persistent connections"),
    grpcService: new Tally("gRPC through the Service"),
    grpcHeadless: new Tally("gRPC over all pods"),
    writes: new Tally("writes"),
    streams: new Tally("streams"),
  };
  const http = { ...gateway, requests, clients: 2, pauseMs: 60 };
  const grpc = { credentials: mutualTls, offerIds, clients: 1, pauseMs: 60 };
  const headless = `dns://${clusterDns}/catalog-grpc.${namespace}.svc.cluster.local:${grpcPort}`;
  const service = `${catalogHost}:${grpcPort}`;

  const startedAt = performance.now();
  const begin = await newestEntry(gateway);
  const follower = followEntries(gateway, begin, tallies.streams);
  const writer = startOfferWriter({
    target: service,
    credentials: mutualTls,
    token: stacks.production.ingestToken,
    pauseMs: 50,
    tally: tallies.writes,
  });
  const readers = together([
    startHttpLoad({ ...http, connections: "new", tally: tallies.newConnections }),
    startHttpLoad({ ...http, connections: "persistent", tally: tallies.persistentConnections }),
    startGrpcLoad({ ...grpc, target: service, roundRobin: false, tally: tallies.grpcService }),
    startGrpcLoad({ ...grpc, target: headless, roundRobin: true, tally: tallies.grpcHeadless }),
  ]);
  /** Resolves when that many more responses have come, over each kind of connection. */
  const rounds = async (count: number) => {
    const { persistentConnections, newConnections, grpcHeadless, grpcService, writes } = tallies;
    const all = [persistentConnections, newConnections, grpcHeadless, grpcService, writes];
    const before = all.map(({ completed }) => completed);
    await vi.waitUntil(
      () => all.every(({ completed }, index) => completed >= (before[index] ?? 0) + count),
      { timeout: 60_000, interval: 100 },
    );
  };
  try {
    await rounds(20);
    await work({ rounds });
    await rounds(20);
  } catch (error) {
    await follower.stop();
    throw error;
  } finally {
    await writer.stop();
    await readers.stop();
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  // Each write is an entry, some moments later. What does not come is counted below.
  let entries: LogEntry[] = [];
  let unlogged: string[] = [];
  const isLogged = async () => {
    entries = await entriesAfter(gateway, begin);
    const logged = titlesOf(entries);
    unlogged = writer.accepted.filter((title) => !logged.has(title));
    return unlogged.length === 0;
  };
  await vi.waitUntil(isLogged, { timeout: 60_000, interval: 1000 }).catch(() => undefined);
  const log = entries.map(({ _id }) => _id);
  const last = log.at(-1);
  if (last !== undefined) await follower.until(last).catch(() => undefined);
  await follower.stop();
  let undelivered: string[] = [];
  const isDelivered = () => {
    undelivered = log.filter((id) => !webhook.entryIds.has(id));
    return undelivered.length === 0;
  };
  await vi.waitUntil(isDelivered, { timeout: 120_000, interval: 1000 }).catch(() => undefined);

  const seen = new Set(follower.entryIds);
  const all = Object.values(tallies);
  return {
    succeeded: Object.fromEntries(all.map(({ name, succeeded }) => [name, succeeded])),
    failures: Object.fromEntries(
      all
        .filter(({ failed }) => failed > 0)
        .map(({ name, failed, failures }) => [name, { failed, failures }]),
    ),
    unlogged,
    unavailable: all.flatMap(({ unavailable }) => unavailable),
    missed: log.filter((id) => !seen.has(id)),
    repeated: follower.entryIds.filter((id, index) => id !== log[index]),
    undelivered,
    seconds,
    entries: log.length,
    degraded: tallies.newConnections.degraded + tallies.persistentConnections.degraded,
    connections: follower.connections,
  };
}
