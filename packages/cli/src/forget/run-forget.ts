import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Kind } from "@storefront/import-format";
import type { CommandContext } from "../command.ts";
import { ingestServices } from "../import/ingest-services.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";

/** What was known of the record. */
export interface ForgetSummary {
  readonly kind: string;
  readonly key: readonly string[];
  /** Whether there was a record; else at most its deletion was known. */
  readonly wasStored: boolean;
  /** When its last known state was seen; absent when it was never heard of. */
  readonly observedAt?: string;
}

/**
 * Makes a running stack forget a record.
 *
 * @param key the identity members of the record, in their documented order.
 * @throws UserError when there is no stack, or the service refuses.
 */
export async function runForget(
  { name: kind, service }: Kind,
  key: readonly string[],
  context: CommandContext,
): Promise<ForgetSummary> {
  await using connections = await createServiceConnections(context);
  const transport = await connections.open(service);
  const answer = transport && ingestServices[service].forget?.(transport, { kind, key: [...key] });
  if (answer === undefined) {
    throw new UserError(`This stack runs no ${service} service that forgets.`);
  }
  const { wasStored, observedAt } = await answer.catch((error: unknown) => {
    throw new UserError(`The ${service} service did not forget it: ${messageOf(error)}.`, {
      cause: error,
    });
  });
  const seen = observedAt && { observedAt: timestampDate(observedAt).toISOString() };
  return { kind, key, wasStored, ...seen };
}
