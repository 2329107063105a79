import { inSpan } from "@storefront/telemetry";
import type { z } from "zod";
import type { RequestContext } from "../upstream/request-context.ts";
import type { OperationDefinition } from "./operation.ts";

/** An event that a client can resume after. */
export interface StreamEvent {
  /** Without line breaks and NUL. */
  id: string;
  data: unknown;
}

/** What opens a stream. */
export interface StreamCall<Input extends z.ZodObject> {
  ctx: RequestContext;
  input: z.output<Input>;
  /** The last event that the client has got on an earlier connection. */
  lastEventId: string | undefined;
  /** Aborted when the client leaves and when the gateway closes; the events must end then. */
  signal: AbortSignal;
}

/** A GET operation of the REST surface whose answer is a stream of Server-Sent Events. */
export interface StreamDefinition<Input extends z.ZodObject> extends Pick<
  OperationDefinition<Input, z.ZodType>,
  "path" | "operationId" | "tag" | "summary" | "description" | "input"
> {
  /** Data of each event. */
  event: z.ZodType;
  /**
   * Resolves once events can follow; rejects with what the client is told instead. The events come
   * in batches; one without events is a sign of life.
   */
  open: (call: StreamCall<Input>) => Promise<AsyncIterable<StreamEvent[]>>;
}

/** What the REST surface and the OpenAPI document know of a stream. */
export interface StreamOperation extends Omit<StreamDefinition<z.ZodObject>, "open"> {
  /** Checks the input, then opens the stream. */
  open: (
    call: Omit<StreamCall<z.ZodObject>, "input"> & { rawInput: unknown },
  ) => Promise<AsyncIterable<StreamEvent[]>>;
}

/** A stream of the REST surface. */
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
