import { startProcess } from "@storefront/process";
import { runService } from "@storefront/service-process";
import { searchService } from "./search-service.ts";

await startProcess(() => runService(searchService, process.env));
