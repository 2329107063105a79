import { GetSandboxResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import type { SandboxStore } from "../store/sandbox-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { sandboxNotFound } from "./not-found-errors.ts";

const { sandbox } = GetSandboxResponseSchema.field;

export function getSandbox(deps: { sandboxes: SandboxStore }): CatalogHandlers["getSandbox"] {
  return async ({ sandboxId }) => {
    const row = await deps.sandboxes.get(sandboxId);
    if (row === undefined) throw sandboxNotFound(sandboxId);
    return encoded(
      GetSandboxResponseSchema,
      new EncodedWriter().message(sandbox.number, row.record).finish(),
    );
  };
}
