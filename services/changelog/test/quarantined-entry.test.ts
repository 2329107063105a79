import { ingestToken } from "@storefront/service-process/testing";
import { Code, createClient } from "@connectrpc/connect";
import { DependencyKind, HealthStatus } from "@storefront/contracts/health/v1/health_service";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import { createTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { brief, startFixture, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";

describeOnEachMigratedDatabase(
  "an entry that the changelog cannot store",
  (testDatabase) => {
    let fixture: ChangelogFixture;
    let withToken: ClosableTransport;
    beforeAll(async () => {
      fixture = await startFixture(testDatabase.options());
      withToken = createTransport({ baseUrl: fixture.changelogUrl, token: ingestToken });
      await fixture.database.write(
        "alter table changelog.entry add constraint no_bad check (context_id <> 'bad')",
      );
    });
    afterAll(async () => {
      await withToken.close();
      await fixture.close();
    });

    it("is reported with its error, does not block others, and is retried without reverting its record", async () => {
      await fixture.ingest([
        upsert("offer", 1, { id: "good", namespace: "old", title: "1" }),
        upsert("offer", 2, { id: "bad", namespace: "old", title: "1" }),
        upsert("offer", 3, { id: "good", namespace: "old", title: "2" }),
      ]);
      await fixture.caughtUp();
      const followers = createClient(FollowerService, withToken);
      const { feeds } = await followers.describeFollowers({});
      expect(feeds).toMatchObject([
        {
          feed: "catalog",
          sequence: 3n,
          quarantinedCount: 1n,
          quarantined: [
            { sequence: 2n, kind: "offer", key: ["bad"], error: expect.stringContaining("no_bad") },
          ],
        },
      ]);
      expect(feeds[0]?.projectionVersion).toBe(feeds[0]?.ownProjectionVersion);
      expect(feeds[0]?.holder).toContain(`/${process.pid}/`);
      const { status, dependencies } = await fixture.health.checkHealth({});
      expect(status).toBe(HealthStatus.OK);
      expect(dependencies.find(({ kind }) => kind === DependencyKind.FEED)).toMatchObject({
        quarantinedEntries: 1n,
        isOutdated: false,
      });
      expect(await followers.retryQuarantined({})).toMatchObject({ failedCount: 1n });

      await fixture.database.write("alter table changelog.entry drop constraint no_bad");
      await fixture.ingest([upsert("offer", 4, { id: "bad", namespace: "new", title: "1" })]);
      await fixture.caughtUp();
      expect(await followers.retryQuarantined({})).toMatchObject({ appliedCount: 1n });
      const { entries } = await fixture.changelog.listEntries({
        scope: { case: "sandboxId", value: "new" },
      });
      expect(entries.map(brief)).toEqual(["offer bad ~namespace", "offer bad +*"]);
      expect((await followers.describeFollowers({})).feeds[0]?.quarantinedCount).toBe(0n);
    });

    it("is not reported without a token", async () => {
      const withoutToken = createTransport({ baseUrl: fixture.changelogUrl });
      const client = createClient(FollowerService, withoutToken);
      await expect(client.describeFollowers({})).rejects.toMatchObject({
        code: Code.Unauthenticated,
      });
      await withoutToken.close();
    });
  },
  ["pglite", "postgres"],
);
