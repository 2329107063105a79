import { expect, it } from "vitest";
import { blockedPorts } from "../src/stack/check-ports.ts";

it.each([...blockedPorts])("fetch refuses port %d", async (port) => {
  const refusal = fetch(`http://127.0.0.1:${port}/`);
  await expect(refusal).rejects.toMatchObject({ cause: { message: "bad port" } });
});
