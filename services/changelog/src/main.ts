import { startProcess } from "@storefront/process";
import { runService } from "@storefront/service-process";
import { changelogService } from "./changelog-service.ts";

await startProcess(() => runService(changelogService, process.env));
