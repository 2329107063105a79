import type { ServiceImpl } from "@connectrpc/connect";
import type { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";

/** The handlers of the reads, by RPC; what each gives is said in the contract. */
export type ChangelogHandlers = ServiceImpl<typeof ChangelogService>;

/** The handlers of the writes, by RPC. */
export type ChangelogIngestHandlers = ServiceImpl<typeof ChangelogIngestService>;
