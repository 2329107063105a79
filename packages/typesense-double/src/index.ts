export type { Failure, FaultScope, LineRefusal } from "./faults/faults.ts";
export { startTypesenseDouble } from "./start-typesense-double.ts";
export type { TypesenseDouble, TypesenseDoubleOptions } from "./start-typesense-double.ts";
export { startTypesenseProcess } from "./start-typesense-process.ts";
export type { TypesenseProcess } from "./start-typesense-process.ts";
