import { startProcess } from "@storefront/config";
import { runService } from "@storefront/service-process";
import { catalogService } from "./catalog-service.ts";

await startProcess(() => runService(catalogService, process.env));
