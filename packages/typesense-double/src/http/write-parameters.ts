import type { WriteAction } from "../documents/write-document.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { ApiRequest } from "./api-request.ts";

const actions: readonly WriteAction[] = ["create", "upsert", "update", "emplace"];

/**
 * The `action` of a write; `create` when it is not given.
 *
 * @throws TypesenseError 400 for another one.
 */
export function readAction(request: ApiRequest): WriteAction {
  const given = request.query.get("action") ?? "create";
  const action = actions.find((name) => name === given);
  if (action !== undefined) return action;
  throw new TypesenseError(400, "Parameter `action` must be a create|update|upsert|emplace.");
}

/**
 * Checks `batch_size`, which has no other effect here.
 *
 * @throws TypesenseError 400 unless it is a whole number above 0.
 */
export function checkBatchSize(request: ApiRequest): void {
  const given = request.query.get("batch_size") ?? "40";
  if (/^\d+$/u.test(given) && Number(given) > 0) return;
  throw new TypesenseError(400, "Parameter `batch_size` must be a positive integer.");
}
