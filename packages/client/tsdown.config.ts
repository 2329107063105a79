import { defineConfig } from "tsdown";
import { leaveOutRules } from "./leave-out-rules.ts";

// The contract's generated code is no package of its own: it becomes part of this one.
export default defineConfig({
  entry: ["src/index.ts", "src/services.ts"],
  platform: "neutral",
  target: "es2022",
  dts: { oxc: true },
  plugins: [leaveOutRules()],
  deps: { alwaysBundle: [/^@storefront\/contracts/], dts: {} },
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
});
