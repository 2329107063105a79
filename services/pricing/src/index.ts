export { pricingService } from "./pricing-service.ts";
