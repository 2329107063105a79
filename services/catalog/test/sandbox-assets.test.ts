import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { instant, seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase("a sandbox and its assets", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      seen({ case: "sandbox", value: { id: "calluna", title: "Control" } }),
      asset("b", "Windows", "2024-01-01"),
      asset("a", "Windows", "2024-01-01"),
      asset("a", "Mac", "2024-01-01"),
      asset("c", "Mac", "2024-02-01"),
      asset("d", "Android"),
    ]);
  });

  afterAll(() => running.stop());

  it("is given by its namespace over both ports", async () => {
    for (const client of [running.catalog, running.catalogOverGrpc]) {
      const { sandbox } = await client.getSandbox({ sandboxId: "calluna" });
      expect(sandbox).toMatchObject({ id: "calluna", title: "Control" });
    }
  });

  it("is NOT_FOUND without a record, and so are its assets", async () => {
    for (const call of [
      () => running.catalog.getSandbox({ sandboxId: "Calluna" }),
      () => running.catalog.listSandboxAssets({ sandboxId: "Calluna" }),
    ]) {
      expect(await refusalOf(call())).toMatchObject({
        code: Code.NotFound,
        reason: ErrorReason.SANDBOX_NOT_FOUND,
        metadata: { sandboxId: "Calluna" },
      });
    }
  });

  it("lists assets newest first, ties by artifact and platform, undated ones last", async () => {
    const { assets, totalSize } = await running.catalog.listSandboxAssets({ sandboxId: "calluna" });
    expect(assets.map(({ artifactId, platform }) => `${artifactId} ${platform}`)).toEqual([
      "c Mac",
      "a Mac",
      "a Windows",
      "b Windows",
      "d Android",
    ]);
    expect(totalSize).toBe(5n);
  });

  it("lists the assets of any of the platforms, in any case, with their number", async () => {
    const { assets, totalSize } = await running.catalog.listSandboxAssets({
      sandboxId: "calluna",
      platforms: ["WINDOWS", "android", "Linux"],
      pageSize: 2,
    });
    expect(assets.map(({ artifactId }) => artifactId)).toEqual(["a", "b"]);
    expect(totalSize).toBe(3n);
  });
});

function asset(artifactId: string, platform: string, updated?: string) {
  return seen({
    case: "asset",
    value: {
      artifactId,
      platform,
      namespace: "calluna",
      ...(updated !== undefined && { updatedAt: instant(updated) }),
    },
  });
}
