import { inSpan } from "@storefront/telemetry";
import { initTRPC } from "@trpc/server";
import type { z } from "zod";
import type { CountryUse } from "../cache/question.ts";
import { publicErrorOf } from "../errors/public-error.ts";
import type { RequestContext } from "../upstream/request-context.ts";

/** Groups of operations in the OpenAPI document. */
export const operationTags = [
  "sandboxes",
  "items",
  "offers",
  "changelog",
  "free games",
  "search",
  "regions",
  "health",
] as const;

/** When clients should have moved on from an operation. */
export interface Deprecation {
  /** Since when, in ISO 8601; may lie ahead. */
  since: string;
  /** From when on it may no longer answer, in ISO 8601; default: undecided. */
  sunset?: string;
}

/** Statuses of failures that an operation may have by what it does, beside those of how it is called. */
export type OwnFailure = 404 | 410 | 412 | 416 | 503;

/** What a procedure is on the REST surface. */
export interface OperationDefinition<Input extends z.ZodObject, Output extends z.ZodType> {
  method: "GET" | "POST";
  /** Members of the input in braces are path parameters. */
  path: `/${string}`;
  /** The procedure's own name, as in the RPC it stands for. */
  operationId: string;
  tag: (typeof operationTags)[number];
  summary: string;
  description: string;
  /** Whether clients and proxies may keep the answer; default true. */
  storable?: boolean;
  /** Members of a POST's input that are query parameters, default none; the others are its body. */
  query?: readonly (keyof Input["shape"] & string)[];
  input: Input;
  output: Output;
  /** When clients should move on to another operation, which the description names; default never. */
  deprecated?: Deprecation;
  /** A body to try, for the OpenAPI document; default: made of the examples of its members. */
  bodyExample?: Readonly<Record<string, unknown>>;
  /**
   * Whether answers of all countries of a region are the same, so that they are kept as one; default
   * false.
   */
  isRegional?: boolean;
  /** Whether a country that is in no region counts as `US`; default false, where it is 404. */
  takesAnyCountry?: boolean;
  /** What is kept of an answer of a POST that only reads; default: it is not kept. */
  keptAs?: (answer: z.output<Output>) => z.output<Output>;
  /**
   * Work that an answer takes when none is kept, in whole lookups of a single record; 0 is never
   * refused. A function where the input says how much. Default 1.
   */
  cost?: number | ((input: z.output<Input>) => number);
  /** Whether an answer has status 503 instead of 200; default never. */
  isUnavailable?: (answer: z.output<Output>) => boolean;
  /** Failures that REST clients are told of; default none. 503 is added where it costs something. */
  failures?: readonly OwnFailure[];
  resolve: (call: { ctx: RequestContext; input: z.output<Input> }) => Promise<z.output<Output>>;
}

/** What the REST surface and the OpenAPI document know of a procedure. */
export interface OperationMeta {
  /** As the writer of the OpenAPI document reads it. */
  openapi: {
    method: "GET" | "POST";
    path: `/${string}`;
    operationId: string;
    tags: string[];
    summary: string;
    description: string;
    protect: false;
    deprecated?: true;
  };
  /** Undefined while clients may rely on it. */
  deprecation: Deprecation | undefined;
  storable: boolean;
  /** Members of a POST's input that are query parameters; a GET has no others. */
  queryNames: readonly string[];
  input: z.ZodObject;
  output: z.ZodType;
  bodyExample: Readonly<Record<string, unknown>> | undefined;
  /** Undefined where the input has no country. */
  countryUse: CountryUse | undefined;
  /** Whether answers may be kept by the gateway itself. */
  isKept: boolean;
  /** Whether it changes something: tRPC then takes it by POST alone. */
  isMutation: boolean;
  failures: readonly OwnFailure[];
  /** Whether the body of status 503 is an answer like that of 200. */
  answersUnavailable: boolean;
  /** Checks the input; what the procedure does, without tRPC around it. */
  ask: (rawInput: unknown) => AskedOperation;
}

/** An operation with its input, checked. */
export interface AskedOperation {
  input: Readonly<Record<string, unknown>>;
  run: (ctx: RequestContext) => Promise<OperationResult>;
}

/** What an operation answers. */
export interface OperationResult {
  status: number;
  answer: unknown;
  /** What is kept of it, where that is something else. */
  keptAnswer?: unknown;
}

/** Gives the answer of an operation by the response cache. Fails as the operation does. */
export type FindAnswer = (meta: OperationMeta, asked: AskedOperation) => Promise<unknown>;

/** What a procedure that tRPC calls is answered with. */
export interface ProcedureContext extends RequestContext {
  /** Absent where no answers are kept. */
  readonly findAnswer?: FindAnswer | undefined;
}

/** The root of all tRPC procedures; errors tell clients what REST's errors tell. */
export const trpc = initTRPC
  .context<ProcedureContext>()
  .meta<OperationMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error }) => {
      const { message, error: code } = publicErrorOf(error);
      return { ...shape, message, data: { ...shape.data, error: code } };
    },
  });

/** What a procedure ended with whose client had left: its calls were given up, which is no failure. */
const canceled = "CANCELED";

/** Counts and times what tRPC calls, wrong input included. REST calls operations without tRPC. */
const observedProcedure = trpc.procedure.use(async ({ ctx, meta, next }) => {
  const startedAt = performance.now();
  const result = await next();
  const code = result.ok ? "ok" : codeOf(result.error, ctx);
  ctx.observeProcedure(meta?.openapi.operationId ?? "unknown", code, startedAt);
  return result;
});

function codeOf(error: unknown, { signal }: RequestContext): string {
  return signal.aborted ? canceled : publicErrorOf(error).error;
}

// An input without required members can be left out by callers.
type CallerInput<Input extends z.ZodObject> =
  Record<string, never> extends z.input<Input> ? z.input<Input> | void : z.input<Input>;

/**
 * A procedure of the router and of the REST surface at once. Inputs are checked by zod, and parsed
 * synchronously, which is three times as fast; outputs are documented and typed but not checked:
 * tests do that.
 */
export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: OperationDefinition<Input, Output>,
) {
  const { procedure, resolve, meta, askParsed } = partsOf(definition, { isMutation: false });
  return procedure.query(async ({ ctx, input: { parsed } }) => {
    const { findAnswer } = ctx;
    if (findAnswer === undefined || !meta.isKept) return await resolve({ ctx, input: parsed });
    // JSON of what this very operation has answered.
    return (await findAnswer(meta, askParsed(parsed))) as z.output<Output>;
  });
}

/**
 * As `operation`, of what changes something. tRPC takes it by POST alone, with a body of a type that
 * browsers send to other sites only after a preflight: a link or an image cannot call it.
 */
export function mutation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: OperationDefinition<Input, Output>,
) {
  const { procedure, resolve } = partsOf(definition, { isMutation: true });
  return procedure.mutation(({ ctx, input: { parsed } }) => resolve({ ctx, input: parsed }));
}

function partsOf<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: OperationDefinition<Input, Output>,
  { isMutation }: { isMutation: boolean },
) {
  const { input, output, operationId, isUnavailable, keptAs, cost = 1, failures = [] } = definition;
  const { isRegional = false, takesAnyCountry = false } = definition;
  const costOf = typeof cost === "function" ? cost : () => cost;
  const resolve: typeof definition.resolve = (call) =>
    call.ctx.admission.run(operationId, costOf(call.input), () =>
      inSpan(operationId, () => definition.resolve(call)),
    );
  const parse = (rawInput: unknown): z.output<Input> =>
    input.parse(rawInput === undefined ? {} : rawInput);
  const askParsed = (parsed: z.output<Input>): AskedOperation => ({
    input: parsed,
    async run(ctx) {
      const answer = await resolve({ ctx, input: parsed });
      const kept = keptAs === undefined ? {} : { keptAnswer: keptAs(answer) };
      return { status: isUnavailable?.(answer) === true ? 503 : 200, answer, ...kept };
    },
  });
  const meta: OperationMeta = {
    openapi: {
      method: definition.method,
      path: definition.path,
      operationId,
      tags: [definition.tag],
      summary: definition.summary,
      description: definition.description,
      protect: false,
      ...(definition.deprecated !== undefined && { deprecated: true }),
    },
    deprecation: definition.deprecated,
    bodyExample: definition.bodyExample,
    storable: definition.storable ?? true,
    queryNames: definition.query ?? [],
    input,
    output,
    countryUse: "country" in input.shape ? { isRegional, takesAnyCountry } : undefined,
    isKept: (definition.storable ?? true) && (definition.method === "GET" || keptAs !== undefined),
    isMutation,
    failures: cost === 0 ? failures : [...failures, 503],
    answersUnavailable: isUnavailable !== undefined,
    ask: (rawInput) => askParsed(parse(rawInput)),
  };
  const procedure = observedProcedure.meta(meta).input(callerSchema(parse));
  return { procedure, resolve, meta, askParsed };
}

/** A Standard Schema (https://standardschema.dev) of a type that only callers see. */
interface CallerSchema<Input extends z.ZodObject> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (rawInput: unknown) => { value: { parsed: z.output<Input> } };
    readonly types?: { input: CallerInput<Input>; output: { parsed: z.output<Input> } };
  };
}

// The input is boxed, because tRPC's types cannot tell a generic one from a missing one.
function callerSchema<Input extends z.ZodObject>(
  parse: (rawInput: unknown) => z.output<Input>,
): CallerSchema<Input> {
  const validate = (rawInput: unknown) => ({ value: { parsed: parse(rawInput) } });
  return { "~standard": { version: 1, vendor: "storefront", validate } };
}
