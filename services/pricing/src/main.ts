import { startProcess } from "@storefront/config";
import { runService } from "@storefront/service-process";
import { pricingService } from "./pricing-service.ts";

await startProcess(() => runService(pricingService, process.env));
