export { changelogService } from "./changelog-service.ts";
export { createChangelogService } from "./create-changelog-service.ts";
