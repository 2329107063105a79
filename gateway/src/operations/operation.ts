import { inSpan } from "@storefront/process";
import { initTRPC } from "@trpc/server";
import type { z } from "zod";
import { questionKeys } from "../cache/question.ts";
import type { Question } from "../cache/question.ts";
import { badRequest, publicErrorOf } from "../errors/public-error.ts";
import type { ListedBody } from "../http/representations.ts";
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
  "webhooks",
  "health",
] as const;

export interface Deprecation {
  /** In ISO 8601; may be in the future. */
  since: string;
  /** When the operation may be removed, in ISO 8601; default: undecided. */
  sunset?: string;
  /** Path of the operations that replace it; default: none. */
  successor?: string;
}

/** Statuses of an operation's own failures, beside those that any request may have. */
export type OwnFailure = 401 | 404 | 409 | 410 | 412 | 416 | 503;

/** Methods of the REST surface; GET also serves HEAD. */
export type OperationMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** Statuses of success: 202 for what is done later, 204 for an operation without output. */
export type SuccessStatus = 200 | 201 | 202 | 204;

/** A procedure, and its endpoint on the REST surface. */
export interface OperationDefinition<Input extends z.ZodObject, Output extends z.ZodType> {
  /** Default `GET`. */
  method?: Exclude<OperationMethod, "GET">;
  /** Members of the input in braces are path parameters. */
  path: `/${string}`;
  /** Name of the procedure, and of its RPC. */
  operationId: string;
  tag: (typeof operationTags)[number];
  summary: string;
  description: string;
  /** Whether clients and proxies may cache the response; default true. */
  storable?: boolean;
  /** Whether callers need a token of ADMIN_TOKEN; without that variable the operation does not exist. Default false. */
  isAdmin?: boolean;
  /** Status of success; default 200. */
  status?: SuccessStatus;
  /** Members of a POST's input that are query parameters, default none; the others are its body. */
  query?: readonly (keyof Input["shape"] & string)[];
  input: Input;
  /** Members that the input must not have; default none, and others that it does not know are ignored. */
  refused?: readonly string[];
  /** Members that the input must not have both; default none. */
  exclusive?: readonly [string, string];
  output: Output;
  /** The description names what to use instead. Default: not deprecated. */
  deprecated?: Deprecation;
  /** A body to try, for the OpenAPI document; default: made of the examples of its members. */
  bodyExample?: Readonly<Record<string, unknown>>;
  /** Whether all countries of a region share one response; default false. */
  isRegional?: boolean;
  /** Whether a country that is in no region counts as the default one; default false, where it is 404. */
  takesAnyCountry?: boolean;
  /** Default: a response is no part of a list. */
  listed?: ListedBody;
  /** What to cache of the output; default: the output of a GET, and nothing of a POST. */
  cachedAs?: (output: z.output<Output>) => z.output<Output>;
  /** Work of an uncached response, in lookups of a single record; 0 is never refused. Default 1. */
  cost?: number | ((input: z.output<Input>) => number);
  /** Whether a response has status 201 where the call has set `isCreated` in its context; default false. */
  mayCreate?: boolean;
  /** Whether a response has status 503 instead of 200; default never. */
  isUnavailable?: (output: z.output<Output>) => boolean;
  /** Documented failures; default none. 503 is added where there is a cost. */
  failures?: readonly OwnFailure[];
  resolve: (call: { ctx: RequestContext; input: z.output<Input> }) => Promise<z.output<Output>>;
}

/** Members of a definition that are the same of every kind of operation. */
export type Described<Input extends z.ZodObject = z.ZodObject> = Pick<
  OperationDefinition<Input, z.ZodType>,
  "path" | "operationId" | "tag" | "summary" | "description" | "input" | "deprecated"
>;

/** What the REST surface and the OpenAPI document know of a procedure. */
export interface OperationMeta
  extends
    Described,
    Pick<
      OperationDefinition<z.ZodObject, z.ZodType>,
      "output" | "listed" | "bodyExample" | "mayCreate"
    > {
  method: OperationMethod;
  isAdmin: boolean;
  status: SuccessStatus;
  storable: boolean;
  /** Members of a POST's input that are query parameters; a GET has no others. */
  queryNames: readonly string[];
  /** Whether the gateway caches responses. */
  isCached: boolean;
  /** Whether it changes something: tRPC then accepts only POST. */
  isMutation: boolean;
  failures: readonly OwnFailure[];
  /** Whether the body of status 503 is that of 200. */
  hasUnavailableBody: boolean;
  /** Checks the input. */
  ask: (rawInput: unknown) => Question;
}

/** Gives the output of an operation by the response cache. Fails as the operation does. */
export type FindOutput = (operationId: string, question: Question) => Promise<unknown>;

export interface ProcedureContext extends RequestContext {
  /** Absent without a response cache. */
  readonly findOutput?: FindOutput | undefined;
}

/** The root of all tRPC procedures; its errors say what REST's errors say. */
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

/**
 * Counts and times calls by tRPC, wrong input included, and checks the token of operations that need one. REST calls
 * operations without tRPC.
 */
const observedProcedure = trpc.procedure.use(async ({ ctx, meta, next }) => {
  const startedAt = performance.now();
  if (meta?.isAdmin === true) ctx.admin.check(ctx.authorization);
  const result = await next();
  const code = result.ok ? "ok" : codeOf(result.error, ctx);
  ctx.observeProcedure(meta?.operationId ?? "unknown", code, startedAt);
  return result;
});

// A client that has left is no failure.
function codeOf(error: unknown, { signal }: RequestContext): string {
  return signal.aborted ? "CANCELED" : publicErrorOf(error).error;
}

// Callers may omit an input without required members.
type CallerInput<Input extends z.ZodObject> =
  Record<string, never> extends z.input<Input> ? z.input<Input> | void : z.input<Input>;

/**
 * A procedure of the router and of the REST surface. Inputs are checked by zod, and parsed synchronously,
 * which is three times as fast; outputs are documented and typed, but only tests check them.
 */
export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: OperationDefinition<Input, Output>,
) {
  const { procedure, resolve, meta, questionOf } = partsOf(definition, { isMutation: false });
  return procedure.query(async ({ ctx, input: { parsed } }) => {
    const { findOutput } = ctx;
    if (findOutput === undefined || !meta.isCached) return await resolve({ ctx, input: parsed });
    // Parsed JSON of this operation's own output.
    return (await findOutput(definition.operationId, questionOf(parsed))) as z.output<Output>;
  });
}

/**
 * An operation that changes something. tRPC accepts only POST, with a body of a type that browsers send to
 * other sites only after a preflight: a link or an image cannot call it.
 */
export function mutation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: OperationDefinition<Input, Output>,
) {
  const { procedure, resolve } = partsOf(definition, { isMutation: true });
  return procedure.mutation(({ ctx, input: { parsed } }) => resolve({ ctx, input: parsed }));
}

/** Of a request without a token, and where there are no operations for administrators or no such record. */
const adminFailures = [401, 404] as const;

function partsOf<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: OperationDefinition<Input, Output>,
  { isMutation }: { isMutation: boolean },
) {
  const { input, operationId, isUnavailable, cachedAs, cost = 1 } = definition;
  const { method = "GET", isAdmin = false, failures = [] } = definition;
  const { storable = !isAdmin, status = 200 } = definition;
  const { isRegional = false, takesAnyCountry = false } = definition;
  const costOf = typeof cost === "function" ? cost : () => cost;
  const resolve: typeof definition.resolve = (call) =>
    call.ctx.admission.run(operationId, costOf(call.input), () =>
      inSpan(operationId, () => definition.resolve(call)),
    );
  const parse = (rawInput: unknown): z.output<Input> => {
    const refused = definition.refused?.find((name) => has(rawInput, name));
    if (refused !== undefined) throw badRequest(`${refused} must not be given.`);
    const [first, second] = definition.exclusive?.filter((name) => has(rawInput, name)) ?? [];
    if (second !== undefined) throw badRequest(`${second} must not be given with ${first}.`);
    return input.parse(rawInput === undefined ? {} : rawInput);
  };
  const isCached = storable && (method === "GET" || cachedAs !== undefined);
  const countryUse = "country" in input.shape ? { isRegional, takesAnyCountry } : undefined;
  const questionOf = (parsed: z.output<Input>): Question => ({
    ...(isCached && questionKeys(operationId, parsed, countryUse)),
    async respond(ctx) {
      const result = await resolve({ ctx, input: parsed });
      return {
        status: isUnavailable?.(result) === true ? 503 : ctx.isCreated ? 201 : status,
        body: status === 204 ? "" : JSON.stringify(result),
        ...(cachedAs && { storedBody: JSON.stringify(cachedAs(result)) }),
      };
    },
  });
  const meta: OperationMeta = {
    ...definition,
    method,
    isAdmin,
    status,
    storable,
    queryNames: definition.query ?? [],
    isCached,
    isMutation,
    failures: [
      ...(isAdmin ? adminFailures : []),
      ...failures,
      ...(cost === 0 ? [] : [503 as const]),
    ],
    hasUnavailableBody: isUnavailable !== undefined,
    ask: (rawInput) => questionOf(parse(rawInput)),
  };
  const procedure = observedProcedure.meta(meta).input(callerSchema(parse));
  return { procedure, resolve, meta, questionOf };
}

function has(rawInput: unknown, name: string): boolean {
  return Object(rawInput)[name] !== undefined;
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
