import { startProcess } from "@storefront/process";
import { runService } from "@storefront/service-process";
import { catalogService } from "./catalog-service.ts";

await startProcess(() => runService(catalogService, process.env));
