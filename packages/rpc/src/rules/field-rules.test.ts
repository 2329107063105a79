import { create, createFileRegistry, setExtension } from "@bufbuild/protobuf";
import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  MessageOptionsSchema,
  OneofOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import {
  EnumRulesSchema,
  field as fieldOption,
  FieldRulesSchema,
  Ignore,
  Int32RulesSchema,
  message as messageOption,
  MessageRulesSchema,
  oneof as oneofOption,
  OneofRulesSchema,
  RepeatedRulesSchema,
  StringRulesSchema,
} from "@storefront/contracts/buf/validate/validate";
import { describe, expect, it } from "vitest";
import { compileCheck } from "./compile-check.ts";

type FieldRulesInit = MessageInitShape<typeof FieldRulesSchema>;

/** The same with an extension, as in a contract that is newer than this code. */
function extended<Rules extends Message>(rules: Rules): Rules {
  rules.$unknown = [{ no: 100_999, wireType: WireType.Varint, data: Uint8Array.of(1) }];
  return rules;
}

/** A message of one member, a number or a list of texts, with these rules. */
function messageWith(rules: FieldRulesInit, init: "message" | "oneof" | "none" = "none") {
  const isList = rules.type?.case === "repeated";
  const options = create(FieldOptionsSchema);
  setExtension(options, fieldOption, create(FieldRulesSchema, rules));
  const ofMessage = create(MessageOptionsSchema);
  if (init === "message") setExtension(ofMessage, messageOption, create(MessageRulesSchema));
  const ofOneof = create(OneofOptionsSchema);
  if (init === "oneof") setExtension(ofOneof, oneofOption, create(OneofRulesSchema));
  const file = create(FileDescriptorProtoSchema, {
    name: "test.proto",
    syntax: "proto3",
    messageType: [
      {
        name: "Ruled",
        options: ofMessage,
        oneofDecl: init === "oneof" ? [{ name: "one", options: ofOneof }] : [],
        field: [
          {
            name: "member",
            number: 1,
            type: isList ? Type.STRING : Type.INT32,
            label: isList ? Label.REPEATED : Label.OPTIONAL,
            options,
            ...(init === "oneof" && { oneofIndex: 0 }),
          },
        ],
      },
    ],
  });
  return createFileRegistry(file, () => undefined).getMessage("Ruled") as DescMessage;
}

function itemsWith(items: FieldRulesInit): FieldRulesInit {
  return { type: { case: "repeated", value: { items } } };
}

describe("an unsupported rule of the contract", () => {
  it.each<[string, FieldRulesInit]>([
    ["an expression", { celExpression: ["this > 0"] }],
    ["an expression with an id", { cel: [{ id: "a" }] }],
    ["a required number", { required: true }],
    ["an expression over elements", itemsWith({ celExpression: ["this != ''"] })],
    ["one with an id over elements", itemsWith({ cel: [{ id: "a" }] })],
    ["required elements", itemsWith({ required: true })],
    ["elements that may be empty", itemsWith({ ignore: Ignore.IF_ZERO_VALUE })],
    [
      "an extension of numbers",
      { type: { case: "int32", value: extended(create(Int32RulesSchema)) } },
    ],
    ["an extension of enums", { type: { case: "enum", value: extended(create(EnumRulesSchema)) } }],
    [
      "an extension of lists",
      { type: { case: "repeated", value: extended(create(RepeatedRulesSchema)) } },
    ],
    [
      "an extension of texts",
      itemsWith({ type: { case: "string", value: extended(create(StringRulesSchema)) } }),
    ],
    ["a member of the rules themselves", extended(create(FieldRulesSchema))],
  ])("fails the start: %s", (_, rules) => {
    expect(() => compileCheck(messageWith(rules))).toThrow("not checked");
  });

  it("fails the start of a message, or a oneof, with rules of its own", () => {
    expect(() => compileCheck(messageWith({}, "message"))).toThrow("not checked");
    expect(() => compileCheck(messageWith({}, "oneof"))).toThrow("not checked");
    expect(compileCheck(messageWith({}))).toBeUndefined();
  });

  it("is accepted when its elements are ignored", () => {
    const rules = itemsWith({
      ignore: Ignore.ALWAYS,
      type: { case: "string", value: { minLen: 1n } },
    });
    expect(compileCheck(messageWith(rules))).toBeUndefined();
  });
});
