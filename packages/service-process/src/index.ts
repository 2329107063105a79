export { defineRecordService } from "./define-record-service.ts";
export type { RecordServiceDefinition, RouteDependencies } from "./define-record-service.ts";
export { defineService } from "./define-service.ts";
export { openService, runService } from "./open-service.ts";
export type { OpenService, OpenServiceOptions } from "./open-service.ts";
export type {
  FollowerDependencies,
  ServiceDefinition,
  ServiceDependencies,
  ServiceOptions,
  ServiceParts,
  ServiceSpecification,
} from "./service-definition.ts";
