import { Code, createServiceImplSpec } from "@connectrpc/connect";
import type { MethodImplSpec, ServiceImpl } from "@connectrpc/connect";
import type { DescMessage, DescService, MessageShape } from "@bufbuild/protobuf";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { invalidFields, ServiceError } from "../errors/connect-error.ts";
import type { FieldViolation } from "../errors/connect-error.ts";
import { compileCheck } from "../rules/compile-check.ts";
import { tokenCheck } from "./token-check.ts";

type Request = MessageShape<DescMessage>;

/** An RPC with its handler. */
export type Procedure<Kind extends MethodImplSpec["kind"] = MethodImplSpec["kind"]> = Extract<
  MethodImplSpec,
  { kind: Kind }
> & {
  /** @returns the request @throws ServiceError that names every field that breaks a rule */
  readonly check: (request: Request) => Request;
};

/** A service with its handlers, ready to be served on both ports. */
export interface ProvidedService {
  readonly service: DescService;
  readonly methods: readonly Procedure[];
  /** Throws a ServiceError unless the `authorization` header allows the call. */
  readonly authorize: (authorization: string | null | undefined) => void;
  /** Called when the server begins to drain: ends endless streams. */
  readonly drain?: () => void;
}

/** Options of a provided service. */
export interface ProvideOptions<Desc extends DescService = DescService> {
  /**
   * Every call needs one of them as `authorization: Bearer <token>`; default: no token is required. There
   * are several during a rotation.
   */
  tokens?: readonly string[];
  /** By method, the violations of a request beyond the rules of the contract; default nothing. */
  checks?: {
    readonly [Name in keyof Desc["method"]]?: (
      request: MessageShape<Desc["method"][Name]["input"]>,
    ) => FieldViolation[];
  };
}

/**
 * Combines a service with its handlers, written as Connect service implementations, one for each RPC. A
 * handler may return (or yield) `encoded(…)`, and gets no request that breaks a rule of the
 * contract.
 */
export function provide<Desc extends DescService>(
  service: Desc,
  implementation: ServiceImpl<Desc>,
  options?: ProvideOptions<Desc>,
): ProvidedService {
  return providePart(service, implementation, options);
}

/** As {@link provide}, for stand-ins: RPCs without a handler are `unimplemented`. */
export function providePart<Desc extends DescService>(
  service: Desc,
  implementation: Partial<ServiceImpl<Desc>>,
  { tokens, checks }: ProvideOptions<Desc> = {},
): ProvidedService {
  const { methods } = createServiceImplSpec<Desc>(service, implementation);
  return {
    service,
    methods: Object.entries(methods).map(([name, spec]) => ({
      ...spec,
      check: requestCheck(spec.method.input, checks?.[name] as RequestCheck | undefined),
    })),
    authorize: tokens === undefined ? () => undefined : requireToken(tokens),
  };
}

type RequestCheck = (request: Request) => FieldViolation[];

/** Checks by the rules of the contract, then by `further` ones. */
function requestCheck(input: DescMessage, further: RequestCheck | undefined): Procedure["check"] {
  const checks = [compileCheck(input), further].filter((check) => check !== undefined);
  return (request) => {
    const violations = checks.flatMap((check) => check(request));
    if (violations.length > 0) throw invalidFields(violations);
    return request;
  };
}

function requireToken(
  tokens: readonly string[],
): (authorization: string | null | undefined) => void {
  const isAllowed = tokenCheck(tokens);
  return (authorization) => {
    if (isAllowed(authorization)) return;
    throw new ServiceError({
      code: Code.Unauthenticated,
      reason: ErrorReason.INVALID_TOKEN,
      message: "the call needs a valid token",
    });
  };
}
