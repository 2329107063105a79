import { dataDirectoryOption, defineCommand } from "../command.ts";

/** `storefront purge`. */
export const purgeCommand = defineCommand({
  summary: "Purge a CDN of what writes touch.",
  usage: "[options]",
  options: {
    ...dataDirectoryOption,
    all: { type: "boolean", help: "Purge everything once, as after a release, and exit." },
  },
  notes: [
    "For a gateway with CDN_TAG_HEADER. The CDN is named by VARNISH_URL, by FASTLY_SERVICE_ID and\nFASTLY_API_TOKEN, or by CLOUDFLARE_ZONE_ID and CLOUDFLARE_API_TOKEN; the services by CATALOG_URL,\nPRICING_URL, REVIEWS_URL and CHANGELOG_URL, as for a gateway.",
    "It runs until Ctrl-C. Its progress is in purge.json in the data directory: after a kill, the same command\ncontinues. Without that file it purges everything first.",
  ],
  async run({ values }, context) {
    const [{ purgeEverything, runPurge }, { listenForInterrupts }] = await Promise.all([
      import("../purge/run-purge.ts"),
      import("../stack/on-interrupt.ts"),
    ]);
    if (values.all === true) await purgeEverything(context);
    else await runPurge(context, listenForInterrupts().signal);
    return 0;
  },
});
