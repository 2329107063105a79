import { settledWithin } from "@storefront/process";
import type { ServiceName } from "@storefront/process";
import { publicErrorOf } from "../errors/public-error.ts";
import { withBudget } from "../upstream/call-scope.ts";
import type { CallScope } from "../upstream/call-scope.ts";
import type { RequestContext } from "../upstream/request-context.ts";

/**
 * Waits for an optional part of a response. If it fails or exceeds its budget, the service is noted as degraded and the
 * part is undefined. A defect is not hidden.
 *
 * @param find makes the part by calls in the given scope, which end with the budget
 */
export async function bestEffort<Part>(
  ctx: RequestContext,
  service: ServiceName,
  budgetMs: number,
  find: (scope: CallScope) => Promise<Part>,
): Promise<Part | undefined> {
  const guarded = find(withBudget(ctx, budgetMs)).catch((error: unknown) => {
    if (publicErrorOf(error).error === "INTERNAL") throw error;
    ctx.degraded.add(service);
    return undefined;
  });
  // Calls that a request with more time has joined outlast the budget.
  return await settledWithin(budgetMs, guarded, () => {
    ctx.degraded.add(service);
    return undefined;
  });
}
