// Whatever would have the page talk to another host is off: fonts, telemetry, the proxy for trial
// requests, the chat, links into the publisher's own client.
const configuration = {
  url: "/openapi.json",
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  // The document has an address of its own.
  documentDownloadType: "direct",
  showOperationId: true,
};

/** The script that the page begins with; it is in the folder of those of the API reference. */
export const startScript = `import { createApiReference } from "./standalone.esm.js";
createApiReference("#reference", ${JSON.stringify(configuration)});
`;

/**
 * The page.
 *
 * @param scriptsPath where its scripts are, with a slash at the end
 */
export function docsPage(scriptsPath: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Storefront catalogue: API reference</title>
    <link rel="icon" href="data:,">
    <link rel="alternate" type="application/json" href="/openapi.json" title="OpenAPI document">
    <style>
      body { margin: 0; --scalar-custom-header-height: 2.5rem; }
      .guides {
        position: sticky;
        top: 0;
        z-index: 2;
        height: 2.5rem;
        padding: 0 1rem;
        background: var(--scalar-background-1);
        line-height: 2.5rem;
        text-align: right;
      }
      .guides a { color: var(--scalar-color-1); }
    </style>
    <script type="module" src="${scriptsPath}start.js"></script>
  </head>
  <body>
    <nav class="guides"><a href="/docs/guides">Guides</a></nav>
    <div id="reference"></div>
    <noscript>The API reference needs scripts. The document itself is <a href="/openapi.json">/openapi.json</a>.</noscript>
  </body>
</html>
`;
}

/** What the page may load: from here only. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The reference puts its styles into the page by script.
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
