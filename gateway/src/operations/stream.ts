import { inSpan } from "@storefront/telemetry";
import type { z } from "zod";
import type { LogHub } from "../log-hub/log-hub.ts";
import type { CatalogueChanges } from "../snapshot/changes.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { OperationDefinition, OwnFailure } from "./operation.ts";

/** What streams follow. */
export interface StreamHubs {
  changelog: LogHub;
  priceChanges: LogHub;
}

/** What opens a stream. */
export interface StreamCall<Input extends z.ZodObject> {
  ctx: RequestContext;
  hubs: StreamHubs;
  changes: CatalogueChanges;
  input: z.output<Input>;
  /** The last event that the client has got on an earlier connection. */
  lastEventId: string | undefined;
  /** Aborted when the client leaves and when the gateway closes; the blocks must end then. */
  signal: AbortSignal;
}

/** A GET operation of the REST surface whose answer is a stream of Server-Sent Events. */
export interface StreamDefinition<Input extends z.ZodObject> extends Pick<
  OperationDefinition<Input, z.ZodType>,
  "path" | "operationId" | "tag" | "summary" | "description" | "input" | "failures"
> {
  /** Data of each event. */
  event: z.ZodType;
  /**
   * Resolves once events can follow, with whole blocks of the stream; rejects with what the client is
   * told instead.
   */
  open: (call: StreamCall<Input>) => Promise<AsyncIterable<string | Buffer>>;
}

/** What the REST surface and the OpenAPI document know of a stream. */
export interface StreamOperation extends Omit<StreamDefinition<z.ZodObject>, "open" | "failures"> {
  failures: readonly OwnFailure[];
  /** Checks the input, then opens the stream. */
  open: (
    call: Omit<StreamCall<z.ZodObject>, "input"> & { rawInput: unknown },
  ) => Promise<AsyncIterable<string | Buffer>>;
}

/** A stream of the REST surface. */
export function stream<Input extends z.ZodObject>({
  open,
  failures = [],
  ...definition
}: StreamDefinition<Input>): StreamOperation {
  return {
    ...definition,
    // There may be as many followers as there may be.
    failures: [...failures, 503],
    open: async ({ rawInput, ...call }) =>
      await inSpan(definition.operationId, () =>
        open({ ...call, input: definition.input.parse(rawInput) }),
      ),
  };
}
