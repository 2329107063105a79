import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import type { Environment } from "@storefront/config";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import { createServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";

/** What to do, and where. */
export interface QuarantineOptions {
  readonly dataDirectory: string;
  /** Whether entries are tried again before they are listed. */
  readonly isRetry: boolean;
}

/** A quarantined entry, of at most 100 of each feed. */
export interface QuarantinedLine {
  readonly service: string;
  readonly feed: string;
  readonly sequence: string;
  readonly kind: string;
  readonly key: readonly string[];
  readonly error: string;
  readonly firstFailedAt: string | undefined;
}

/** What is quarantined, and how many were applied again. */
export interface QuarantineSummary {
  readonly applied: number;
  readonly quarantined: readonly QuarantinedLine[];
}

/**
 * Asks the services that follow feeds for what they could not apply.
 *
 * @throws UserError when there is no stack, or a service does not answer.
 */
export async function runQuarantine(
  { dataDirectory, isRetry }: QuarantineOptions,
  env: Environment,
): Promise<QuarantineSummary> {
  const connections = await createServiceConnections(dataDirectory, env);
  const quarantined: QuarantinedLine[] = [];
  let applied = 0;
  try {
    for (const service of ["changelog", "search"]) {
      const transport = await connections.open(service);
      if (transport === undefined) continue;
      const client = createClient(FollowerService, transport);
      try {
        if (isRetry) {
          const { appliedCount } = await client.retryQuarantined({}, { timeoutMs: 0 });
          applied += Number(appliedCount);
        }
        const { feeds } = await client.describeFollowers({});
        for (const { feed, quarantined: entries } of feeds) {
          quarantined.push(
            ...entries.map(({ sequence, kind, key, error, firstFailedAt }) => ({
              service,
              feed,
              kind,
              key,
              error,
              sequence: String(sequence),
              firstFailedAt: firstFailedAt && timestampDate(firstFailedAt).toISOString(),
            })),
          );
        }
      } catch (error) {
        throw new UserError(`The ${service} service does not tell: ${messageOf(error)}.`, {
          cause: error,
        });
      }
    }
  } finally {
    await connections.close();
  }
  return { applied, quarantined };
}
