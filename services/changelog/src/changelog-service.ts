import { defineService } from "@storefront/service-process";
import { changelogMigrations, createChangelogService } from "./create-changelog-service.ts";

/** The changelog service as those see it who run it. */
export const changelogService = defineService({
  name: "changelog",
  migrations: changelogMigrations,
  shape: {},
  rules: [],
  indexes: false,
  create: createChangelogService,
});
