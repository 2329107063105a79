export { databaseSettingsOf, databaseShape } from "./database-settings.ts";
export type { DatabaseSettings } from "./database-settings.ts";
export { defineService } from "./define-service.ts";
export { logRetentionOf, logRetentionShape } from "./log-retention-shape.ts";
export { openService } from "./open-service.ts";
export type { OpenService, OpenServiceOptions } from "./open-service.ts";
export { runService } from "./run-service.ts";
export type {
  ServiceDefinition,
  ServiceDependencies,
  ServiceOptions,
  ServiceParts,
  ServiceSpecification,
} from "./service-definition.ts";
