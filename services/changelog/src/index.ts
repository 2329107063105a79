export { changelogMigrations, createChangelogService } from "./create-changelog-service.ts";
export type { ChangelogServiceOptions, ChangelogServiceParts } from "./create-changelog-service.ts";
