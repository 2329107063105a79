import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext, MethodImplSpec } from "@connectrpc/connect";
import { invalidFields } from "../errors/service-error.ts";
import type { FieldViolation } from "../errors/service-error.ts";
import { compileCheck } from "../rules/compile-check.ts";

type Request = MessageShape<DescMessage>;

/** What is wrong with a request. */
export type RequestCheck = (request: Request) => FieldViolation[];

/**
 * The same method, whose requests are checked by the rules of the contract, and by `further` ones,
 * before they are handled. INVALID_ARGUMENT names every field at fault; of a stream, that of the first such request.
 */
export function checkRequests(spec: MethodImplSpec, further?: RequestCheck): MethodImplSpec {
  const checks = [compileCheck(spec.method.input), further].filter((check) => check !== undefined);
  if (checks.length === 0) return spec;
  const checked = (request: Request): Request => {
    const violations = checks.flatMap((check) => check(request));
    if (violations.length > 0) throw invalidFields(violations);
    return request;
  };
  switch (spec.kind) {
    case "unary":
      return {
        ...spec,
        impl: (request: Request, context: HandlerContext) => spec.impl(checked(request), context),
      };
    case "server_streaming":
      return {
        ...spec,
        impl: (request: Request, context: HandlerContext) => spec.impl(checked(request), context),
      };
    case "client_streaming":
      return {
        ...spec,
        impl: (requests: AsyncIterable<Request>, context: HandlerContext) =>
          spec.impl(each(requests, checked), context),
      };
    case "bidi_streaming":
    default:
      return {
        ...spec,
        impl: (requests: AsyncIterable<Request>, context: HandlerContext) =>
          spec.impl(each(requests, checked), context),
      };
  }
}

async function* each(
  requests: AsyncIterable<Request>,
  checked: (request: Request) => Request,
): AsyncGenerator<Request> {
  for await (const request of requests) yield checked(request);
}
