import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { CommitSignal } from "@storefront/change-feed";
import { identifier, invalidFields } from "@storefront/rpc";
import { compileKind } from "../apply/compiled-kind.ts";
import type { CompiledKind } from "../apply/compiled-kind.ts";
import type { IngestTarget } from "../stream/ingest-handler.ts";
import { forgetRecord } from "./forget-record.ts";

/** What every service's request to forget looks like. */
export interface ForgetRequest {
  readonly kind: string;
  readonly key: readonly string[];
}

/** What every service's answer to it is made of. */
export interface ForgetAnswer {
  wasStored: boolean;
  observedAt?: Timestamp;
}

/** What a handler forgets from, and who is told of it. */
export interface ForgetOptions extends IngestTarget {
  readonly commits: CommitSignal;
}

/**
 * The body of an RPC that forgets a record; see {@link forgetRecord}. Throws INVALID_ARGUMENT for a
 * kind that the service does not store, or a key that is none of the kind.
 */
export function forgetHandler({
  database,
  schema,
  kinds,
  commits,
}: ForgetOptions): (request: ForgetRequest) => Promise<ForgetAnswer> {
  const compiledKinds = new Map(kinds.map((kind) => [kind.name, compileKind(kind)]));
  return async ({ kind, key }) => {
    const compiled = compiledKinds.get(kind);
    if (compiled === undefined) {
      const description = `must be one of ${[...compiledKinds.keys()].join(", ")}`;
      throw invalidFields([{ field: "kind", description }]);
    }
    checkKey(compiled, key);
    const { wasStored, observedAt } = await forgetRecord(database, schema, compiled, key);
    commits.notify();
    return { wasStored, ...(observedAt && { observedAt: timestampFromDate(observedAt) }) };
  };
}

function checkKey({ identity }: CompiledKind, key: readonly string[]): void {
  if (key.length !== identity.length) {
    const description = `must have ${identity.length} elements: ${identity.join(", ")}`;
    throw invalidFields([{ field: "key", description }]);
  }
  const violations = key.flatMap((part, index) => {
    const rule = part.isWellFormed() ? identifier(part) : "must not contain a lone surrogate";
    return rule === undefined ? [] : [{ field: `key[${index}]`, description: rule }];
  });
  if (violations.length > 0) throw invalidFields(violations);
}
