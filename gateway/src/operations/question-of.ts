import { questionKeys } from "../cache/question.ts";
import type { CacheableResponse, Question } from "../cache/question.ts";
import type { AskedOperation, OperationMeta, OperationResult } from "./operation.ts";

/** What a call of an operation asks, whichever surface it came by. */
export function questionOf(meta: OperationMeta, { input, run }: AskedOperation): Question {
  return {
    ...questionKeys(meta.openapi.operationId, input, meta.countryUse),
    answer: async (ctx) => bodiesOf(await run(ctx)),
  };
}

/** The bytes of what an operation answers. */
export function bodiesOf({ status, answer, keptAnswer }: OperationResult): CacheableResponse {
  const body = JSON.stringify(answer);
  return {
    status,
    body,
    ...(keptAnswer === undefined ? {} : { storedBody: JSON.stringify(keptAnswer) }),
  };
}
