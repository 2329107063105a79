import { startProcess } from "@storefront/process";
import { runService } from "@storefront/service-process";
import { webhooksService } from "./webhooks-service.ts";

await startProcess(() => runService(webhooksService, process.env));
