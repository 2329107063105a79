import { GetSandboxResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf } from "@storefront/rpc";
import type { SandboxStore } from "../store/sandbox-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { sandboxNotFound } from "./not-found-errors.ts";

export function getSandbox(deps: { sandboxes: SandboxStore }): CatalogHandlers["getSandbox"] {
  return async ({ sandboxId }) => {
    const row = await deps.sandboxes.get(sandboxId);
    if (row === undefined) throw sandboxNotFound(sandboxId);
    return encodedOf(GetSandboxResponseSchema, { sandbox: row.record });
  };
}
