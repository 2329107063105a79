import { toBinary } from "@bufbuild/protobuf";
import type { DescFile, DescService } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { ReflectionService } from "@grpc/reflection";

/** Server reflection v1 and v1alpha for services known by their protobuf-es descriptors. */
export function createReflection(services: readonly DescService[]): ReflectionService {
  const files = new Map<string, DescFile>();
  const collect = (file: DescFile): void => {
    if (files.has(file.name)) return;
    files.set(file.name, file);
    for (const dependency of file.dependencies) collect(dependency);
  };
  for (const { file } of services) collect(file);

  // The library reads nothing of a package definition but the descriptors of its files.
  const fileDescriptorProtos = [...files.values()].map(({ proto }) =>
    Buffer.from(toBinary(FileDescriptorProtoSchema, proto)),
  );
  return new ReflectionService(
    { files: { format: "Protocol Buffer 3 DescriptorProto", type: {}, fileDescriptorProtos } },
    { services: services.map(({ typeName }) => typeName) },
  );
}
