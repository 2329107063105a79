import { startProcess } from "@storefront/process";
import { runService } from "@storefront/service-process";
import { pricingService } from "./pricing-service.ts";

await startProcess(() => runService(pricingService, process.env));
