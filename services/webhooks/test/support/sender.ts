import { openDatabase } from "@storefront/database";
import { createLogger } from "@storefront/process";
import { Webhooks } from "../../src/index.ts";

// A separate process, to be killed. Arguments: the URLs of its database and its gateway.
const [url = "", gatewayUrl = ""] = process.argv.slice(2);
const logger = createLogger({ service: "webhooks", level: "warn" });
const database = await openDatabase({ url, maxConnections: 5, logger });
new Webhooks({ database, gatewayUrl, allowedNetworks: ["127.0.0.0/8"], logger }).start();
