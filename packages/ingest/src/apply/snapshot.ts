import { toBinary } from "@bufbuild/protobuf";
import type { JsonObject, Message } from "@bufbuild/protobuf";
import { recordToJson } from "../json/record-to-json.ts";
import type { CompiledKind } from "./compiled-kind.ts";

/** A state of a record in its three forms, each made when it is first needed. */
export class Snapshot {
  readonly bytes: Uint8Array;
  readonly #compiled: CompiledKind;
  #record: Message | undefined;
  #json: JsonObject | undefined;

  private constructor(compiled: CompiledKind, bytes: Uint8Array, record?: Message) {
    this.#compiled = compiled;
    this.bytes = bytes;
    this.#record = record;
  }

  /** A state as it is stored. */
  static stored(compiled: CompiledKind, bytes: Uint8Array): Snapshot {
    return new Snapshot(compiled, bytes);
  }

  /** A state to be stored; members that the contract does not know are left out. */
  static of(compiled: CompiledKind, record: Message): Snapshot {
    const bytes = toBinary(compiled.kind.schema, record, { writeUnknownFields: false });
    return new Snapshot(compiled, bytes, record);
  }

  get record(): Message {
    this.#record ??= this.#compiled.decode(this.bytes);
    return this.#record;
  }

  get json(): JsonObject {
    this.#json ??= recordToJson(this.#compiled.kind.schema, this.record);
    return this.#json;
  }
}
