import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import type { FileRegistry } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@grpc/grpc-js";

// grpc.reflection.v1.ServerReflection, spoken by hand: the fields that are used.
const path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const fileByFilename = 3;
const fileContainingSymbol = 4;
const fileDescriptorResponse = 4;

/** Asks a server for the descriptors of a service and of everything that they need. */
export async function reflectService(client: Client, service: string): Promise<FileRegistry> {
  const files = new Map<string, FileDescriptorProto>();
  let missing = [{ field: fileContainingSymbol, value: service }];
  while (missing.length > 0) {
    for (const { field, value } of missing) {
      for (const file of await askForFiles(client, field, value)) files.set(file.name, file);
    }
    missing = [...files.values()]
      .flatMap(({ dependency }) => dependency)
      .filter((name) => !files.has(name))
      .map((name) => ({ field: fileByFilename, value: name }));
  }
  return createFileRegistry(create(FileDescriptorSetSchema, { file: inOrder(files) }));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes);
}

async function askForFiles(
  client: Client,
  field: number,
  value: string,
): Promise<FileDescriptorProto[]> {
  const call = client.makeBidiStreamRequest<Uint8Array, Uint8Array>(path, asBuffer, asBuffer);
  call.end(new BinaryWriter().tag(field, WireType.LengthDelimited).string(value).finish());
  const files: FileDescriptorProto[] = [];
  for await (const answer of call as AsyncIterable<Uint8Array>) {
    for (const response of bytesOf(answer, fileDescriptorResponse)) {
      for (const file of bytesOf(response, 1))
        files.push(fromBinary(FileDescriptorProtoSchema, file));
    }
  }
  return files;
}

/** Values of a field of bytes. */
function bytesOf(message: Uint8Array, field: number): Uint8Array[] {
  const reader = new BinaryReader(message);
  const values: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === field && type === WireType.LengthDelimited) values.push(reader.bytes());
    else reader.skip(type, number);
  }
  return values;
}

/** A registry wants a file after those that it imports. */
function inOrder(files: ReadonlyMap<string, FileDescriptorProto>): FileDescriptorProto[] {
  const ordered = new Set<FileDescriptorProto>();
  const add = (file: FileDescriptorProto) => {
    for (const name of file.dependency) {
      const dependency = files.get(name);
      if (dependency !== undefined) add(dependency);
    }
    ordered.add(file);
  };
  for (const file of files.values()) add(file);
  return [...ordered];
}
