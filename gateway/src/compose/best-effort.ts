import type { ServiceName } from "@storefront/config";
import { publicErrorOf } from "../errors/public-error.ts";
import type { RequestContext } from "../upstream/request-context.ts";

/**
 * Waits for a part that an answer can do without. If it fails or takes longer than its budget the
 * service is noted as degraded and the answer is undefined. A defect is not hidden.
 */
export async function bestEffort<Part>(
  ctx: Pick<RequestContext, "degraded">,
  service: ServiceName,
  budgetMs: number,
  part: Promise<Part>,
): Promise<Part | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const budget = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      ctx.degraded.add(service);
      resolve(undefined);
    }, budgetMs);
  });
  const guarded = part.catch((error: unknown) => {
    if (publicErrorOf(error).error === "INTERNAL") throw error;
    ctx.degraded.add(service);
    return undefined;
  });
  try {
    return await Promise.race([guarded, budget]);
  } finally {
    clearTimeout(timer);
  }
}
