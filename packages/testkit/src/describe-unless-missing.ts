// These rules are for test files; here suites are parameters.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-title, vitest/valid-describe-callback,
   vitest/expect-expect, vitest/no-disabled-tests */
import { describe, it } from "vitest";

/**
 * A suite that needs a program of the machine. Where that is missing the suite is skipped and the reason
 * printed; when `CI` is `true` it fails.
 *
 * @param missing what is missing and how to supply it; undefined when nothing is.
 * @param options.isOptional skips in CI too, for programs that not every CI machine can have. Default false.
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
      it("has its prerequisites", () => {
        throw new Error(missing);
      });
    });
  } else {
    process.stderr.write(`skipped: ${name}: ${missing}\n`);
    describe.skip(name, suite);
  }
}
