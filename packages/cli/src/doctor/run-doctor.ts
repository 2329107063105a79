import { openClientTls } from "../stack/open-client-tls.ts";
import type { StackContext } from "../stack/service-connections.ts";
import { stackSettingsOf } from "../stack/stack-environment.ts";
import { readStackFile } from "../stack/stack-file.ts";
import type { Check } from "./check.ts";
import { checkDatabases } from "./check-databases.ts";
import { checkFeeds } from "./check-feeds.ts";
import { checkDataDirectory, checkFreePorts, checkNode, checkToken } from "./check-machine.ts";
import { checkReindex } from "./check-reindex.ts";
import { checkGateway, checkServices, isRunning } from "./check-services.ts";

/**
 * Checks the machine and, where a stack runs on the data directory or the environment names one,
 * the stack.
 *
 * @throws ConfigError, TlsError when the environment is wrong.
 */
export async function runDoctor({ dataDirectory, env }: StackContext): Promise<Check[]> {
  const settings = stackSettingsOf(env);
  const left = await readStackFile(dataDirectory);
  const running = left !== undefined && isRunning(left) ? left : undefined;
  const isInUse = running !== undefined;
  const checks = [
    checkNode(process.versions.node),
    await checkDataDirectory(dataDirectory, isInUse),
    await checkToken(dataDirectory, env),
    ...(await checkDatabases(dataDirectory, env, isInUse)),
    ...(isInUse ? [] : [await checkFreePorts(settings)]),
  ];
  const tls = await openClientTls(env);
  try {
    const stack = { dataDirectory, env, running, tls };
    return [
      ...checks,
      ...(await checkServices(stack)),
      ...(await checkGateway(running)),
      ...(await checkFeeds(stack)),
      ...(await checkReindex(stack)),
    ];
  } finally {
    tls?.close();
  }
}
