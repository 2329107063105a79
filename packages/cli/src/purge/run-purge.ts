import { timestampMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createLogger, feedNames } from "@storefront/process";
import type { FeedName, Logger } from "@storefront/process";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { followFeedTail, purgedTags, wholeFeedTag } from "@storefront/gateway";
import type { FeedCursor, FeedTail } from "@storefront/gateway";
import { createTransport } from "@storefront/rpc";
import { join } from "node:path";
import { z } from "zod";
import type { CommandContext } from "../command.ts";
import {
  makeDataDirectory,
  parseJson,
  readIfPresent,
  writeFileWhole,
} from "../stack/data-directory.ts";
import { openClientTls } from "../stack/service-connections.ts";
import { purgeSettingsOf } from "./edge.ts";
import { TagPurger } from "./tag-purger.ts";
import type { Cursors } from "./tag-purger.ts";

/** Largest difference between the clocks of this process and of a service, in milliseconds. */
const clockSkewMs = 45_000;

// A watch, and the previous one, which is about to end.
const streamsMax = 2;

/**
 * Purges an edge of everything that the services' writes affect, until the signal. Resumes at its last position, also after a
 * kill; when that is unknown, or pruned from the log, everything of the feed is purged.
 *
 * @throws ConfigError, TlsError when variables are wrong
 * @throws UserError when the position cannot be stored
 */
export async function runPurge(
  { env, dataDirectory }: CommandContext,
  interrupted: AbortSignal,
): Promise<void> {
  const { edge, feedUrls, logLevel } = purgeSettingsOf(env);
  const logger = createLogger({ service: "purge", level: logLevel });
  const tls = await openClientTls(env);
  await makeDataDirectory(dataDirectory);
  const cursors = await readCursors(dataDirectory, edge.name);
  const ending = new AbortController();
  const purger = new TagPurger({
    edge,
    logger,
    signal: AbortSignal.any([interrupted, ending.signal]),
    onPurged: (purged) => writeCursors(dataDirectory, edge.name, Object.assign(cursors, purged)),
  });
  const feeds = feedNames.map((feed) => {
    const baseUrl = feedUrls[feed];
    const transport = createTransport({ baseUrl, maxConnections: streamsMax, tls });
    const client = createClient(FeedService, transport);
    const tail = purgeFor(feed, { client, logger, purger, from: cursors[feed] });
    tail.start();
    return { transport, tail };
  });
  logger.info({ edge: edge.name, cursors }, "purging");
  try {
    await purger.run();
  } finally {
    ending.abort();
    await Promise.all(feeds.map(({ tail }) => tail.close()));
    await Promise.all(feeds.map(({ transport }) => transport.close()));
    tls?.close();
  }
}

/**
 * Purges everything of all feeds, once.
 *
 * @throws ConfigError, PurgeError
 */
export async function purgeEverything({ env }: CommandContext): Promise<void> {
  await purgeSettingsOf(env).edge.purge(feedNames.map(wholeFeedTag));
}

/** Dependencies of the purge of a feed. */
interface PurgeDependencies {
  client: Parameters<typeof followFeedTail>[0]["client"];
  logger: Logger;
  purger: TagPurger;
  /** The last purged position. */
  from: FeedCursor | undefined;
}

function purgeFor(feed: FeedName, { purger, ...options }: PurgeDependencies): FeedTail {
  return followFeedTail({
    feed,
    ...options,
    onBegin(cursor) {
      options.logger.warn({ feed }, "what was written before is not known: everything is purged");
      purger.add(feed, [wholeFeedTag(feed)], cursor);
    },
    onEntries(entries, cursor) {
      if (entries.length === 0) return;
      const tags = entries.flatMap((entry) => purgedTags(feed, entry));
      // Entries that are read again after a kill are not purged repeatedly.
      const committedAt = entries.at(-1)?.committedAt;
      const ageMs = committedAt === undefined ? 0 : Date.now() - timestampMs(committedAt);
      purger.add(feed, tags, cursor, Math.max(0, ageMs - clockSkewMs));
    },
  });
}

const zCursor = z
  .object({ sequence: z.number(), identity: z.string(), logId: z.string() })
  .optional();

const zState = z.object({
  /** Name of what was purged. */
  edge: z.string(),
  cursors: z.object({
    catalog: zCursor,
    pricing: zCursor,
    reviews: zCursor,
    changelog: zCursor,
  }),
});

const stateFile = (directory: string) => join(directory, "purge.json");

/** The positions up to which an edge has been purged; none when the file is damaged or missing. */
export async function readCursors(directory: string, edge: string): Promise<Cursors> {
  const text = await readIfPresent(stateFile(directory));
  const state = text === undefined ? undefined : parseJson(text, zState);
  return state?.edge === edge ? state.cursors : {};
}

/** @throws UserError when the file cannot be written */
export async function writeCursors(
  directory: string,
  edge: string,
  cursors: Cursors,
): Promise<void> {
  await writeFileWhole(stateFile(directory), `${JSON.stringify({ edge, cursors })}\n`);
}
