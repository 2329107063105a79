import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { serviceNames, serviceVariables } from "@storefront/process";
import { HealthService, HealthStatus } from "@storefront/contracts/health/v1/health_service";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { reindexSentence, reindexStatus } from "../reindex/run-reindex.ts";
import type { ReindexStatus } from "../reindex/run-reindex.ts";
import type { RunningStack } from "../stack/data-directory.ts";
import { messageOf } from "../user-error.ts";
import { callService, callWithToken, fine, timeoutMs, urlOf, wrong } from "./check.ts";
import type { Check, ExaminedStack } from "./check.ts";

/** Whether the process that wrote its addresses is alive. */
export function isRunning({ pid }: RunningStack): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Checks the health of each service whose address the environment or the running stack has. */
export async function checkServices(stack: ExaminedStack): Promise<Check[]> {
  return await Promise.all(
    serviceNames.map(async (service) => {
      const url = urlOf(service, stack);
      const name = `${service} service`;
      if (url === undefined) return fine(name, "no stack runs here");
      try {
        const { status, dependencies } = await callService(url, stack, (transport) =>
          createClient(HealthService, transport).checkHealth({}, { timeoutMs }),
        );
        if (status === HealthStatus.OK) return fine(name, `well, at ${url}`);
        const failing = dependencies
          .filter((dependency) => dependency.status !== HealthStatus.OK)
          .map((dependency) => dependency.name);
        return wrong(name, `It cannot reach ${failing.join(", ")}.`, "Check the database.");
      } catch (error) {
        return wrong(
          name,
          `It does not respond at ${url}: ${messageOf(error)}.`,
          `Wait some seconds, or start the stack again (${serviceVariables(service).url}).`,
        );
      }
    }),
  );
}

/** Checks the health of the running stack's gateway. */
export async function checkGateway(stack: RunningStack | undefined): Promise<Check[]> {
  const name = "gateway";
  if (stack === undefined) return [];
  const url = `${stack.gatewayUrl}/health`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return [
      response.ok
        ? fine(name, `well, at ${stack.gatewayUrl}`)
        : wrong(name, `${url} responds with status ${response.status}.`, "See the services above."),
    ];
  } catch (error) {
    return [wrong(name, `${url} does not respond: ${messageOf(error)}.`, "Start the stack again.")];
  }
}

/** Checks the reindex, where the environment or the running stack has the address of the search. */
export async function checkReindex(stack: ExaminedStack): Promise<Check[]> {
  try {
    const response = await callWithToken("search", stack, (transport) =>
      createClient(SearchIndexService, transport).describeReindex({}, { timeoutMs }),
    );
    if (response === undefined) return [];
    return [judgeReindex(response.job && reindexStatus(response.job), new Date())];
  } catch (error) {
    // An older release.
    if (ConnectError.from(error).code === Code.Unimplemented) return [];
    return [wrong("reindex", `It cannot be read: ${messageOf(error)}.`, "See the services above.")];
  }
}

/** A reindex without progress for so long hangs; the training of an embedder takes minutes. */
const longMs = 15 * 60_000;

/**
 * Judges the reindex in progress, else the last one.
 *
 * @param status undefined before the first.
 */
export function judgeReindex(status: ReindexStatus | undefined, now: Date): Check {
  const name = "reindex";
  if (status === undefined) return fine(name, "there has been none");
  const sentence = reindexSentence(status);
  const { phase, error, endedAt, progressedAt } = status;
  if (phase === "failed") {
    return wrong(name, sentence, "Fix the cause, and run `storefront reindex`.");
  }
  if (endedAt !== undefined) return fine(name, sentence);
  const silentMs = now.getTime() - Date.parse(progressedAt ?? "");
  return error !== "" || silentMs > longMs
    ? wrong(name, sentence, "See the log of search; `storefront reindex --cancel` cancels it.")
    : fine(name, sentence);
}
