import { create, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Plugin } from "rolldown";
import { defineConfig } from "tsdown";

// The contract's generated code is not a published package: it becomes part of this one.
export default defineConfig({
  entry: ["src/index.ts", "src/services.ts"],
  platform: "neutral",
  target: "es2022",
  dts: { oxc: true },
  plugins: [leaveOutRules()],
  deps: { alwaysBundle: [/^@storefront\/contracts/], dts: {} },
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
});

/** The files of the contract that define rules, by the end of the path of their module. */
const files = [
  { name: "buf/validate/validate.proto", package: "buf.validate" },
  { name: "storefront/rule/v1/rule.proto", package: "storefront.rule.v1" },
];

/**
 * Replaces each of these with an empty file. Services check the rules; the client does not, and their
 * definitions would be 70 KB of every bundle.
 */
function leaveOutRules(): Plugin {
  return {
    name: "leave-out-rules",
    load(id) {
      const file = files.find(({ name }) =>
        id.endsWith(`/gen/${name.replace(".proto", "_pb.ts")}`),
      );
      if (file === undefined) return null;
      const bytes = toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, file));
      const variable = `file_${file.name.replace(".proto", "").replaceAll("/", "_")}`;
      return [
        'import type { GenFile } from "@bufbuild/protobuf/codegenv2";',
        'import { fileDesc } from "@bufbuild/protobuf/codegenv2";',
        `export const ${variable}: GenFile = /*@__PURE__*/ fileDesc("${base64Encode(bytes)}");`,
      ].join("\n");
    },
  };
}
