import react from "@vitejs/plugin-react";
import { createServer } from "vite";
import { packageDirectory } from "../build/built-pages.ts";

/** The explorer's running dev server. */
export interface ExplorerServer {
  /** Address of the page, with a slash at its end. */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the explorer from its sources on port 5173, or the next free one of this machine. An edited
 * style or component replaces the one in the open page. All requests outside `/explorer/` go to the
 * gateway, since the page calls its own origin.
 */
export async function serveExplorer(gatewayUrl: string): Promise<ExplorerServer> {
  const server = await createServer({
    root: packageDirectory,
    base: "/explorer/",
    configFile: false,
    logLevel: "warn",
    clearScreen: false,
    plugins: [react()],
    server: {
      host: "127.0.0.1",
      proxy: { "^/(?!explorer(?:[/?]|$))": gatewayUrl },
    },
  });
  await server.listen();
  const [url] = server.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error("The explorer's dev server has no address.");
  return { url, close: () => server.close() };
}
