import { startProcess } from "@storefront/config";
import { runService } from "@storefront/service-process";
import { searchService } from "./search-service.ts";

await startProcess(() => runService(searchService, process.env));
