import { getOption } from "@bufbuild/protobuf";
import { predefined } from "@storefront/contracts/buf/validate/validate";
import { region as regionRule } from "@storefront/contracts/rule/v1/rule";
import { regions } from "@storefront/domain/regions";
import { expect, it } from "vitest";

it("the contract's rule of regions names those of the table", () => {
  const codes = regions.map(({ region }) => region).join("|");
  const [rule] = getOption(regionRule, predefined).cel;
  expect(rule?.expression).toBe(`!rule || this.matches(r'^(${codes})$')`);
});
