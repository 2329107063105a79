import { inSpan } from "@storefront/process";
import type { z } from "zod";
import type { LogHub } from "../log-hub/log-hub.ts";
import type { CatalogueChanges } from "../snapshot/changes.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { Described, OperationDefinition, OwnFailure } from "./operation.ts";

/** A GET of the REST surface that tRPC does not have, because its response is no JSON document. */
interface RestOperation<Input extends z.ZodObject = z.ZodObject> extends Described<Input> {
  failures: readonly OwnFailure[];
}

/** A file to be downloaded. */
export interface DownloadOperation extends RestOperation {
  output: z.ZodType;
  contentType: string;
}

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
  /** Id of the last event that the client received on an earlier connection. */
  lastEventId: string | undefined;
  /** Aborted when the client leaves and when the gateway closes; the blocks must end then. */
  signal: AbortSignal;
}

/**
 * Resolves with whole blocks of the stream once events can follow; rejects with the failure to respond with.
 */
type OpenStream<Call> = (call: Call) => Promise<AsyncIterable<string | Buffer>>;

export interface StreamDefinition<Input extends z.ZodObject> extends RestOperation<Input> {
  /** Data of each event. */
  event: z.ZodType;
  open: OpenStream<StreamCall<Input>>;
}

/** A stream of Server-Sent Events. */
export interface StreamOperation extends Omit<StreamDefinition<z.ZodObject>, "open"> {
  /** Checks the input, then opens the stream. */
  open: OpenStream<Omit<StreamCall<z.ZodObject>, "input"> & { rawInput: unknown }>;
}

export function stream<Input extends z.ZodObject>({
  open,
  ...definition
}: StreamDefinition<Input>): StreamOperation {
  return {
    ...definition,
    open: async ({ rawInput, ...call }) =>
      await inSpan(definition.operationId, () =>
        open({ ...call, input: definition.input.parse(rawInput) }),
      ),
  };
}

export interface WebFeedCall<Input extends z.ZodObject> {
  ctx: RequestContext;
  input: z.output<Input>;
  /** Scheme, host and port that clients reach the gateway by; undefined where it is not configured. */
  publicUrl: string | undefined;
}

export interface WebFeedDefinition<Input extends z.ZodObject>
  extends RestOperation<Input>, Pick<OperationDefinition<Input, z.ZodType>, "takesAnyCountry"> {
  output: z.ZodType;
  contentType: string;
  /** As of an operation. */
  cost: number;
  /** The same bytes for the same data. */
  write: (call: WebFeedCall<Input>) => Promise<string>;
}

/** A calendar or a feed for feed readers. */
export interface WebFeed extends Omit<WebFeedDefinition<z.ZodObject>, "write" | "cost"> {
  /** Checks the input. */
  ask: (rawInput: unknown) => {
    input: Readonly<Record<string, unknown>>;
    write: (call: Omit<WebFeedCall<z.ZodObject>, "input">) => Promise<string>;
  };
}

export function webFeed<Input extends z.ZodObject>({
  write,
  cost,
  ...definition
}: WebFeedDefinition<Input>): WebFeed {
  const { operationId } = definition;
  return {
    ...definition,
    ask(rawInput) {
      const input = definition.input.parse(rawInput);
      return {
        input,
        write: ({ ctx, publicUrl }) =>
          ctx.admission.run(operationId, cost, () =>
            inSpan(operationId, () => write({ ctx, input, publicUrl })),
          ),
      };
    },
  };
}
