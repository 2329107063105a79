export { catalogService } from "./catalog-service.ts";
