import { TRPCError } from "@trpc/server";

/**
 * A member that the contract promises in an answer of a service.
 *
 * @throws BAD_GATEWAY when it is missing
 */
export function answered<Member>(member: Member | undefined, name: string): Member {
  if (member !== undefined) return member;
  const service = name.slice(0, name.indexOf("."));
  throw new TRPCError({
    code: "BAD_GATEWAY",
    message: `The ${service} service failed to answer.`,
    cause: new Error(`${name} answered without its record`),
  });
}
