import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";

/** What an embedder throws when what it asks fails, is late, or gives something else than vectors. */
export function embeddingFailed(cause: unknown): ServiceError {
  return new ServiceError({
    code: Code.Unavailable,
    reason: ErrorReason.EMBEDDING_FAILED,
    message: "the embedding backend does not answer as it should",
    cause,
  });
}
