import type { Environment } from "@storefront/config";
import { readStackFile } from "../stack/stack-file.ts";
import { stackSettingsOf } from "../stack/stack-settings.ts";
import type { Check } from "./check.ts";
import { checkDatabases } from "./check-databases.ts";
import { checkDataDirectory, checkToken } from "./check-data-directory.ts";
import { checkFeeds } from "./check-feeds.ts";
import { checkNode } from "./check-node.ts";
import { checkFreePorts } from "./check-ports.ts";
import { checkReindex } from "./check-reindex.ts";
import { checkGateway, checkServices, isRunning } from "./check-services.ts";

/**
 * Checks the machine and, where a stack runs on the data directory or the environment names one,
 * the stack.
 *
 * @throws ConfigError when the environment is wrong.
 */
export async function runDoctor(dataDirectory: string, env: Environment): Promise<Check[]> {
  const settings = stackSettingsOf(env);
  const left = await readStackFile(dataDirectory);
  const stack = left !== undefined && isRunning(left) ? left : undefined;
  const checks: Check[] = [
    checkNode(process.versions.node),
    await checkDataDirectory(dataDirectory, stack !== undefined),
    await checkToken(dataDirectory, env),
    ...(await checkDatabases(dataDirectory, env, stack !== undefined)),
  ];
  if (stack === undefined) checks.push(await checkFreePorts(settings));
  checks.push(...(await checkServices(stack, env)), ...(await checkGateway(stack)));
  checks.push(...(await checkFeeds({ stack, dataDirectory, env })));
  checks.push(...(await checkReindex({ stack, dataDirectory, env })));
  return checks;
}
