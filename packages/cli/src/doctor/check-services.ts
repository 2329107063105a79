import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { serviceNames, serviceVariables } from "@storefront/config";
import { HealthService, HealthStatus } from "@storefront/contracts/health/v1/health_service";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { reindexSentence, reindexStatus } from "../reindex/reindex-status.ts";
import type { ReindexStatus } from "../reindex/reindex-status.ts";
import type { RunningStack } from "../stack/data-directory.ts";
import { messageOf } from "../user-error.ts";
import { askService, askWithToken, fine, timeoutMs, urlOf, wrong } from "./check.ts";
import type { Check, ExaminedStack } from "./check.ts";

/** Whether the process that left its addresses is alive. */
export function isRunning({ pid }: RunningStack): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, as another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Asks each service how it is, where the environment or the running stack tells its address. */
export async function checkServices(stack: ExaminedStack): Promise<Check[]> {
  return await Promise.all(
    serviceNames.map(async (service) => {
      const url = urlOf(service, stack);
      const name = `${service} service`;
      if (url === undefined) return fine(name, "no stack runs here");
      try {
        const { status, dependencies } = await askService(url, stack, (transport) =>
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
          `It does not answer at ${url}: ${messageOf(error)}.`,
          `Wait some seconds, or start the stack again (${serviceVariables(service).url}).`,
        );
      }
    }),
  );
}

/** Asks the running stack's gateway for its health. */
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
        : wrong(name, `${url} answers ${response.status}.`, "See the services above."),
    ];
  } catch (error) {
    return [wrong(name, `${url} does not answer: ${messageOf(error)}.`, "Start the stack again.")];
  }
}

/** Asks the search for its reindexes, where the environment or the running stack tells its address. */
export async function checkReindex(stack: ExaminedStack): Promise<Check[]> {
  try {
    const answer = await askWithToken("search", stack, (transport) =>
      createClient(SearchIndexService, transport).describeReindex({}, { timeoutMs }),
    );
    if (answer === undefined) return [];
    return [judgeReindex(answer.job && reindexStatus(answer.job), new Date())];
  } catch (error) {
    // A release before this one does not tell.
    if (ConnectError.from(error).code === Code.Unimplemented) return [];
    return [wrong("reindex", `It is not told: ${messageOf(error)}.`, "See the services above.")];
  }
}

/** A reindex that has not come forward for so long hangs; the training of an embedder takes minutes. */
const longMs = 15 * 60_000;

/** How the reindex under way is, or how the last one ended; undefined before the first. */
export function judgeReindex(status: ReindexStatus | undefined, now: Date): Check {
  const name = "reindex";
  if (status === undefined) return fine(name, "there has been none");
  const sentence = reindexSentence(status);
  const { phase, error, endedAt, progressedAt } = status;
  if (phase === "failed") {
    return wrong(name, sentence, "Mend what it failed with, and run `storefront reindex`.");
  }
  if (endedAt !== undefined) return fine(name, sentence);
  const silentMs = now.getTime() - Date.parse(progressedAt ?? "");
  return error !== "" || silentMs > longMs
    ? wrong(name, sentence, "See the log of search; `storefront reindex --cancel` gives it up.")
    : fine(name, sentence);
}
