import { questionKeys } from "../cache/question.ts";
import type { CacheableResponse, Question } from "../cache/question.ts";
import type { AskedOperation, OperationMeta, OperationResult } from "./operation.ts";

/** The question of a call on any surface. */
export function questionOf(meta: OperationMeta, { input, run }: AskedOperation): Question {
  return {
    ...questionKeys(meta.openapi.operationId, input, meta.countryUse),
    answer: async (ctx) => bodiesOf(await run(ctx)),
  };
}

export function bodiesOf({ status, output, cachedOutput }: OperationResult): CacheableResponse {
  const body = JSON.stringify(output);
  return {
    status,
    body,
    ...(cachedOutput !== undefined && { storedBody: JSON.stringify(cachedOutput) }),
  };
}
