import { kinds } from "@storefront/import-format";
import { ingestServices } from "../import/ingest-services.ts";
import { UserError } from "../user-error.ts";
import type { CallService } from "./call-service.ts";

/** Forgets a record that the origin has forgotten, waiting for its service if that is away. */
export type ForgetMirrored = (kind: string, key: readonly string[]) => Promise<void>;

/** Forgetting in the services of a stack. */
export function forgetMirrored(call: CallService): ForgetMirrored {
  return async (kind, key) => {
    const service = kinds.get(kind)?.service;
    const ingest = service && ingestServices[service];
    if (service === undefined || ingest?.forget === undefined) {
      throw new UserError(`This release cannot forget a record of kind ${kind}; update it.`);
    }
    // Only the catalogue's records have entries, which come along.
    const isMirrored = service === "catalog";
    const record = { kind, key: [...key], ...(isMirrored && { isMirrored }) };
    await call(service, async (transport) => {
      await ingest.forget?.(transport, record);
    });
  };
}
