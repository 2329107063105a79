import type { ServiceImpl } from "@connectrpc/connect";
import type { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";

/** The handlers of the changelog's reads, by RPC. */
export type ChangelogHandlers = ServiceImpl<typeof ChangelogService>;

/** The handlers of the changelog's writes, by RPC. */
export type ChangelogIngestHandlers = ServiceImpl<typeof ChangelogIngestService>;
