import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { CommandContext } from "../command.ts";
import { kinds } from "../import/kinds.ts";
import type { Kind } from "../import/kinds.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";

/** What to forget, and where. */
export interface ForgetOptions {
  readonly kind: Kind;
  /** The identity members of the record, in their documented order. */
  readonly key: readonly string[];
  readonly dataDirectory: string;
}

/** What was known of the record. */
export interface ForgetSummary {
  readonly kind: Kind;
  readonly key: readonly string[];
  /** Whether there was a record; else at most its deletion was known. */
  readonly wasStored: boolean;
  /** When its last known state was seen; absent when it was never heard of. */
  readonly observedAt?: string;
}

interface Answer {
  wasStored: boolean;
  observedAt?: Timestamp | undefined;
}
type Forget = (request: { kind: string; key: string[] }) => Promise<Answer>;

/** How a service that stores kinds forgets; one that is added gets a line here. */
const forgetAt: Readonly<Record<string, (transport: Transport) => Forget>> = {
  catalog: (transport) => createClient(CatalogIngestService, transport).forgetRecord,
  pricing: (transport) => createClient(PricingIngestService, transport).forgetRecord,
  reviews: (transport) => createClient(ReviewsIngestService, transport).forgetRecord,
};

/**
 * Makes a running stack forget a record.
 *
 * @throws UserError when there is no stack, or the service refuses.
 */
export async function runForget(
  { kind, key, dataDirectory }: ForgetOptions,
  { env }: CommandContext,
): Promise<ForgetSummary> {
  const { service } = kinds[kind];
  const connections = await createServiceConnections(dataDirectory, env);
  try {
    const transport = await connections.open(service);
    const forget = transport && forgetAt[service]?.(transport);
    if (forget === undefined) {
      throw new UserError(`This stack runs no ${service} service that forgets.`);
    }
    const { wasStored, observedAt } = await forget({ kind, key: [...key] }).catch(
      (error: unknown) => {
        throw new UserError(`The ${service} service did not forget it: ${messageOf(error)}.`, {
          cause: error,
        });
      },
    );
    const seen = observedAt && { observedAt: timestampDate(observedAt).toISOString() };
    return { kind, key, wasStored, ...seen };
  } finally {
    await connections.close();
  }
}
