export { reviewsService } from "./reviews-service.ts";
