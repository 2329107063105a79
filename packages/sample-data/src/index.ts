export { countObservations, generateCatalogue } from "./generate-catalogue.ts";
export type { CatalogueOptions } from "./generate-catalogue.ts";
export type { Kind, Observation, ObservationOf, Records } from "./observation.ts";
