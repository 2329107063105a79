import { inSpan } from "@storefront/telemetry";
import type { z } from "zod";
import type { RequestContext } from "../upstream/request-context.ts";
import type { OperationDefinition, OwnFailure } from "./operation.ts";

/** What a feed is written for. */
export interface WebFeedCall<Input extends z.ZodObject> {
  ctx: RequestContext;
  input: z.output<Input>;
  /** Scheme, host and port that clients reach the gateway by; undefined where nobody has said. */
  publicUrl: string | undefined;
}

/** A GET operation of the REST surface whose answer is a calendar or a feed for readers of news. */
export interface WebFeedDefinition<Input extends z.ZodObject> extends Pick<
  OperationDefinition<Input, z.ZodType>,
  | "path"
  | "operationId"
  | "tag"
  | "summary"
  | "description"
  | "takesAnyCountry"
  | "input"
  | "output"
  | "failures"
> {
  contentType: string;
  /** As of an operation. */
  cost: number;
  /** The same for the same data, to the byte. */
  write: (call: WebFeedCall<Input>) => Promise<string>;
}

/** What the REST surface and the OpenAPI document know of a feed. */
export interface WebFeed extends Omit<
  WebFeedDefinition<z.ZodObject>,
  "write" | "cost" | "failures"
> {
  failures: readonly OwnFailure[];
  /** Checks the input. */
  ask: (rawInput: unknown) => AskedWebFeed;
}

/** A feed with its input, checked. */
export interface AskedWebFeed {
  input: Readonly<Record<string, unknown>>;
  write: (call: Omit<WebFeedCall<z.ZodObject>, "input">) => Promise<string>;
}

/** A feed of the REST surface. */
export function webFeed<Input extends z.ZodObject>({
  write,
  cost,
  failures = [],
  ...definition
}: WebFeedDefinition<Input>): WebFeed {
  const { operationId } = definition;
  return {
    ...definition,
    failures: [...failures, 503],
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
