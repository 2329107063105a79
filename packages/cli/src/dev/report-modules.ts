import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { BroadcastChannel, isMainThread } from "node:worker_threads";

// Preloaded into a process of `pnpm dev` and its threads: reports the path of every module of the
// repository that it loads. `node --watch` does the same, but on Linux (Node 24.21) it watches the
// files themselves, and misses every change after the first one that replaces the file, which is how
// git and many editors write.

const channel = new BroadcastChannel("storefront-dev-modules");
channel.unref();
if (isMainThread) {
  // Node's types have the message only here.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  channel.onmessage = ({ data }) => report(String(data));
  // Ends with `pnpm dev`, also when that is killed.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const { url } = resolved;
    if (url.startsWith("file:") && !url.includes("/node_modules/")) report(fileURLToPath(url));
    return resolved;
  },
});

function report(path: string): void {
  if (isMainThread) process.send?.(path);
  // The rule is about windows: a channel takes no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  else channel.postMessage(path);
}
