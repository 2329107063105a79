import { createClient } from "@connectrpc/connect";
import { serviceVariables } from "@storefront/config";
import type { Environment, ServiceName } from "@storefront/config";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { DescribeLogResponse } from "@storefront/contracts/feed/v1/feed_service";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import type { FeedFollowing } from "@storefront/contracts/feed/v1/follower_service";
import { createTransport } from "@storefront/rpc";
import type { TlsCredentials } from "@storefront/rpc";
import { findIngestToken } from "../stack/ingest-token.ts";
import { openClientTls } from "../stack/open-client-tls.ts";
import type { RunningStack } from "../stack/stack-file.ts";
import { messageOf } from "../user-error.ts";
import { wrong } from "./check.ts";
import type { Check } from "./check.ts";
import { judgeFollowing } from "./judge-following.ts";
import { judgeLog } from "./judge-log.ts";

const owners = ["catalog", "pricing", "reviews", "changelog"] as const;
const followers = ["changelog", "search"] as const;

const timeoutMs = 3_000;

/** What the checks are told. */
export interface FeedChecks {
  readonly stack: RunningStack | undefined;
  readonly dataDirectory: string;
  readonly env: Environment;
}

/**
 * Looks at the logs of the services and at who follows them, where the environment or the running stack
 * tells their addresses. What does not answer at all is another check's.
 */
export async function checkFeeds(options: FeedChecks): Promise<Check[]> {
  const tls = await openClientTls(options.env);
  try {
    const logs = new Map<string, DescribeLogResponse>();
    const checks = await Promise.all(
      owners.map(async (owner) => {
        const log = await describeLog(owner, options, tls);
        if (log === undefined) return [];
        if (!(log instanceof Error)) logs.set(owner, log);
        return [judgeLog(owner, log, new Date())];
      }),
    );
    const followings = await Promise.all(
      followers.map(async (follower) => {
        const feeds = await describeFollowers(follower, options, tls);
        if (feeds instanceof Error) return [unanswered(`followers of ${follower}`, feeds)];
        return feeds.map((feed) => judgeFollowing(follower, feed, logs.get(feed.feed)));
      }),
    );
    return [...checks, ...followings].flat();
  } finally {
    tls?.close();
  }
}

async function describeLog(
  service: ServiceName,
  { stack, env }: FeedChecks,
  tls: TlsCredentials | undefined,
): Promise<DescribeLogResponse | Error | undefined> {
  const url = urlOf(service, stack, env);
  if (url === undefined) return undefined;
  const transport = createTransport({ baseUrl: url, tls });
  try {
    return await createClient(FeedService, transport).describeLog({}, { timeoutMs });
  } catch (error) {
    return new Error(messageOf(error), { cause: error });
  } finally {
    await transport.close();
  }
}

async function describeFollowers(
  service: ServiceName,
  { stack, env, dataDirectory }: FeedChecks,
  tls: TlsCredentials | undefined,
): Promise<readonly FeedFollowing[] | Error> {
  const url = urlOf(service, stack, env);
  const token = await findIngestToken(dataDirectory, env, service).catch(() => undefined);
  // Without a token nothing is told; that it is missing or wrong is another check's.
  if (url === undefined || token === undefined) return [];
  try {
    const transport = createTransport({ baseUrl: url, tls, token });
    try {
      const client = createClient(FollowerService, transport);
      return (await client.describeFollowers({}, { timeoutMs })).feeds;
    } finally {
      await transport.close();
    }
  } catch (error) {
    return new Error(messageOf(error), { cause: error });
  }
}

function urlOf(service: ServiceName, stack: RunningStack | undefined, env: Environment) {
  return env[serviceVariables(service).url] || stack?.services[service]?.url;
}

function unanswered(name: string, error: Error): Check {
  return wrong(name, `They are not told: ${error.message}.`, "See the services above.");
}
