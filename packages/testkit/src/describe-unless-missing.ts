// These rules are for test files; here suites are made out of parameters.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-title, vitest/valid-describe-callback,
   vitest/expect-expect, vitest/no-disabled-tests */
import { describe, it } from "vitest";

/**
 * A suite that needs something of the machine. Where that is missing it is skipped with the reason
 * printed, or, when `CI` is `true`, fails.
 *
 * @param missing what is missing and how to supply it; undefined when nothing is.
 * @param options.isOptional skips in CI too: for what not every CI machine can have. Default false.
 */
export function describeUnlessMissing(
  name: string,
  missing: string | undefined,
  suite: () => void,
  options: { isOptional?: boolean } = {},
): void {
  if (missing === undefined) {
    describe(name, suite);
  } else if (process.env["CI"] === "true" && options.isOptional !== true) {
    describe(name, () => {
      it("has what it needs", () => {
        throw new Error(missing);
      });
    });
  } else {
    process.stderr.write(`skipped: ${name}: ${missing}\n`);
    describe.skip(name, suite);
  }
}
