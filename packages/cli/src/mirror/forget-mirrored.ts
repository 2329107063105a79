import { kinds } from "@storefront/import-format";
import { ingestServices } from "../import/ingest-services.ts";
import { Outage } from "../import/outage.ts";
import type { RetryOptions } from "../import/outage.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { UserError } from "../user-error.ts";

/** Forgets a record that the origin has forgotten, waiting for its service if that is away. */
export type ForgetMirrored = (kind: string, key: string[]) => Promise<void>;

/** Forgetting over the connections of a stack. */
export function forgetMirrored(
  connections: ServiceConnections,
  retry: RetryOptions,
): ForgetMirrored {
  return async (kind, key) => {
    const service = kinds.get(kind)?.service;
    const ingest = service && ingestServices[service];
    if (service === undefined || ingest?.forget === undefined) {
      throw new UserError(`This release cannot forget a record of kind ${kind}; update it.`);
    }
    const outage = new Outage(service, retry);
    for (;;) {
      const transport = await connections.open(service);
      try {
        if (transport === undefined) {
          throw new UserError(`This stack does not run the ${service} service.`);
        }
        // Only the catalogue's records have entries, which come along.
        const isMirrored = service === "catalog";
        await ingest.forget(transport, { kind, key, ...(isMirrored && { isMirrored }) });
        outage.end();
        return;
      } catch (error) {
        await outage.wait(await connections.explain(service, error));
      } finally {
        await transport?.close();
      }
    }
  };
}
