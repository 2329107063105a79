import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";

/** Why a query is not compared with vectors: another model made them, and nearness to them means nothing. */
export class OtherModelError extends ServiceError {
  /**
   * @param model of the query.
   * @param indexModel of the vectors; undefined when there are none.
   */
  constructor(model: string, indexModel: string | undefined) {
    super({
      code: Code.Unavailable,
      reason: ErrorReason.EMBEDDING_MODEL_DIFFERS,
      message: `the index has vectors of ${indexModel ?? "no model"}, not of ${model}`,
      metadata: { model, indexModel: indexModel ?? "" },
    });
  }
}
