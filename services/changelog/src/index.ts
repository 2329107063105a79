export { changelogService } from "./changelog-service.ts";
export { changelogMigrations, createChangelogService } from "./create-changelog-service.ts";
export type { ChangelogServiceOptions, ChangelogServiceParts } from "./create-changelog-service.ts";
