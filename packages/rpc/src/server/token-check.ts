import { createHash, timingSafeEqual } from "node:crypto";

/** Returns whether an `authorization` header is `Bearer` and one of the tokens, in constant time. */
export function tokenCheck(
  tokens: readonly string[],
): (authorization: string | null | undefined) => boolean {
  // Digests have one length, so that a comparison in constant time discloses nothing about the tokens.
  const expected = tokens.map((token) => digest(`Bearer ${token}`));
  return (authorization) => {
    const given = digest(authorization ?? "");
    // All are compared, so that the time does not disclose which one it was.
    return expected.filter((one) => timingSafeEqual(given, one)).length > 0;
  };
}

function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}
