import { buildPagesAside, builtPages } from "@storefront/explorer";
import type { Terminal } from "../terminal.ts";

/**
 * The explorer as it is built of the present sources, built now where that has not been done.
 *
 * @param ending ends the building early.
 * @returns its directory; undefined when it cannot be built, which keeps nothing else from running.
 */
export async function preparePages(
  terminal: Terminal,
  ending: AbortSignal,
): Promise<string | undefined> {
  try {
    const pages = await builtPages();
    if (pages.isBuilt) return pages.directory;
    terminal.note("Building the explorer");
    await buildPagesAside(ending);
    return pages.directory;
  } catch (error) {
    if (ending.aborted) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    terminal.note(`The explorer could not be built, so that there is no /explorer/: ${reason}`);
    return undefined;
  }
}
