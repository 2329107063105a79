import type { Interceptor } from "@connectrpc/connect";

/** Adds an interceptor that sends a bearer token with every call, if there is one. */
export function withToken(
  token: string | undefined,
  interceptors: readonly Interceptor[],
): Interceptor[] {
  if (token === undefined) return [...interceptors];
  const authorize: Interceptor = (next) => async (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return await next(request);
  };
  return [...interceptors, authorize];
}
