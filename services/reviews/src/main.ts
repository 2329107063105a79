import { startProcess } from "@storefront/process";
import { runService } from "@storefront/service-process";
import { reviewsService } from "./reviews-service.ts";

await startProcess(() => runService(reviewsService, process.env));
