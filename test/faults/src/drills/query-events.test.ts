import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { QueryEventType, SearchService } from "@storefront/contracts/search/v1/search_service";
import type { QueryEvent } from "@storefront/contracts/search/v1/search_service";
import { createTransport } from "@storefront/rpc";
import {
  describeOnEachMigratedDatabase,
  drillsAreLong,
  openFaultyLink,
  Seeded,
} from "@storefront/testkit";
import type { FaultyLink } from "@storefront/testkit";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { FleetDatabases } from "./fleet-databases.ts";
import { startFleet } from "./start-fleet.ts";
import type { Fleet } from "./start-fleet.ts";
import { hasSucceeded, sendToCatalog } from "./write-without-end.ts";

const kills = drillsAreLong ? 50 : 4;

/** Longest time from an event to the next kill, in milliseconds; a query is compared every 2 s at most. */
const killPauseMs = 2_500;

/** Pause between two written offers, in milliseconds. */
const writePauseMs = 100;

/** Time limit for the services to respond, in milliseconds. */
const startMs = 90_000;

/** Time limit for the next event after a kill; another replica takes over a comparison after 30 s. */
const patience = { timeout: 180_000 };

/** Printed; set it to repeat the same kills. */
const seed = Number(process.env["DRILLS_SEED"] ?? Date.now() % 1_000_000);

const offerIds = ["one", "two", "three", "four", "five"];
const region = "US";

const { ENTERED, LEFT } = QueryEventType;

describeOnEachMigratedDatabase(
  `a followed query (DRILLS_SEED=${seed})`,
  (server) => {
    let databases: FleetDatabases;
    let fleet: Fleet;
    let link: FaultyLink;
    let search: Client<typeof SearchService>;
    let close: () => Promise<void>;

    beforeAll(async () => {
      databases = await FleetDatabases.create(server.options().url);
      fleet = await startFleet(databases, {
        catalog: 1,
        pricing: 1,
        reviews: 1,
        changelog: 1,
        search: 2,
      });
      const replicas = fleet.programs.get("search") ?? [];
      // Connects to a replica that is up, as a load balancer does.
      link = await openFaultyLink(() =>
        replicas.map((replica) => replica.port("connect")).find((port) => port !== undefined),
      );
      const transport = createTransport({ baseUrl: `http://127.0.0.1:${link.port}` });
      search = createClient(SearchService, transport);
      close = () => transport.close();
    }, 60_000);
    afterAll(async () => {
      await close();
      await fleet.stop();
      await link.close();
      await databases.drop();
    }, 60_000);

    /** Retries a question until it gets a response. */
    const asked = async <Result>(question: () => Promise<Result>): Promise<Result> =>
      await vi.waitFor(question, { timeout: startMs });

    it(
      `loses and duplicates no event, whichever replica is killed (${kills} times)`,
      { timeout: drillsAreLong ? 1_800_000 : 600_000 },
      async () => {
        const random = new Seeded(seed);
        const query = { offerTypes: ["DLC"] };
        const { queryId } = await asked(() => search.saveQuery({ query }));
        await asked(() => search.searchOffers({ query, region }));
        const follower = await asked(() => follow(search, queryId));
        const writer = moveOffers(fleet);
        for (let kill = 0; kill < kills; kill++) {
          const before = follower.got.length;
          await expect.poll(() => follower.got.length, patience).toBeGreaterThan(before);
          await setTimeout(killPauseMs * random.number());
          await random.pick(fleet.programs.get("search") ?? []).kill();
        }
        const found = await writer.stop();
        await expect.poll(() => enteredOf(follower.got), patience).toEqual(found);
        await follower.stop();

        const pageSize = 1_000;
        const listed = await asked(() => search.listQueryEvents({ queryId, region, pageSize }));
        expect(follower.got.slice(-pageSize)).toEqual(listed.events.toReversed());
        const sequences = follower.got.map(({ id }) => parseInt(id.split("-")[0] ?? "", 36));
        expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
        for (const offerId of offerIds) {
          const types = follower.got.filter((event) => event.offerId === offerId);
          expect(types.map(({ type }) => type)).toEqual(
            types.map((_, index) => (index % 2 === 0 ? ENTERED : LEFT)),
          );
        }
        const now = await asked(() => search.searchOffers({ query, region }));
        expect(now.offerIds.toSorted()).toEqual(found);
      },
    );
  },
  ["postgres"],
);

/** The offers that have entered and not left since. */
function enteredOf(events: readonly QueryEvent[]): string[] {
  const last = new Map(events.map(({ offerId, type }) => [offerId, type]));
  return offerIds.filter((id) => last.get(id) === ENTERED).toSorted();
}

/** Follows the events of a query from now on, and resumes after the last one whenever the stream ends. */
async function follow(search: Client<typeof SearchService>, queryId: string) {
  const ending = new AbortController();
  const { signal } = ending;
  const got: QueryEvent[] = [];
  const open = (afterEventId: string) =>
    search.watchQueryEvents({ queryId, region, afterEventId }, { signal, timeoutMs: 0 });
  const begin = async () => {
    for await (const { startedAfterEventId } of open("")) return startedAfterEventId;
    throw new Error("the stream ended before it started");
  };
  let after = await begin();
  const readEvents = async () => {
    for await (const { events } of open(after)) {
      got.push(...events);
      after = events.at(-1)?.id ?? after;
    }
  };
  const following = (async () => {
    while (!signal.aborted) {
      await hasSucceeded(readEvents());
      await setTimeout(50);
    }
  })();
  return {
    got,
    async stop() {
      ending.abort();
      await following;
    },
  };
}

/**
 * Moves offers into the query's results and out of them, one after the other, until it is stopped, and retries failed
 * writes. `stop` returns the ids that the query finds then, sorted.
 */
function moveOffers(fleet: Fleet): { stop(): Promise<string[]> } {
  const stopping = new AbortController();
  const found = new Set<string>();
  const firstSeenMs = Date.now() - 3_600_000;

  async function write(count: number): Promise<void> {
    const id = offerIds[count % offerIds.length] ?? "";
    const isFound = !found.delete(id);
    if (isFound) found.add(id);
    const offer = { id, namespace: "drill", offerType: isFound ? "DLC" : "DEMO" };
    const observedAt = timestampFromMs(firstSeenMs + count);
    const record = { case: "offer", value: offer } as const;
    for (let isStored = false; !isStored;) {
      const port = fleet.grpcPort("catalog");
      isStored =
        port !== undefined && (await hasSucceeded(sendToCatalog(port, [{ observedAt, record }])));
      await setTimeout(writePauseMs);
    }
  }

  const writing = (async () => {
    for (let count = 0; !stopping.signal.aborted; count++) await write(count);
  })();
  return {
    async stop() {
      stopping.abort();
      await writing;
      return [...found].toSorted();
    },
  };
}
