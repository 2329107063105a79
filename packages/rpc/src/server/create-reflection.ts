import { createRegistry, toBinary } from "@bufbuild/protobuf";
import type {
  DescEnum,
  DescExtension,
  DescFile,
  DescMessage,
  DescService,
  Registry,
} from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { file_google_rpc_error_details } from "@storefront/contracts/google/rpc/error_details";
import { ServerReflection } from "@storefront/contracts/grpc/reflection/v1/reflection";
import { ServerReflection as ServerReflectionAlpha } from "@storefront/contracts/grpc/reflection/v1alpha/reflection";
import { provide } from "./provide.ts";
import type { ProvidedService } from "./provide.ts";

/** A request; the two versions differ only in their names. */
type Question =
  | {
      case:
        | "listServices"
        | "fileByFilename"
        | "fileContainingSymbol"
        | "allExtensionNumbersOfType";
      value: string;
    }
  | {
      case: "fileContainingExtension";
      value: { containingType: string; extensionNumber: number };
    }
  | { case: undefined };

/**
 * Server reflection, v1 and v1alpha, of these services, of itself, and of the error details that any of
 * them may send.
 *
 * Protocol: https://github.com/grpc/grpc/blob/master/doc/server-reflection.md
 */
export function createReflection(services: readonly DescService[]): ProvidedService[] {
  const listed = [...services, ServerReflection, ServerReflectionAlpha];
  // Indexed at the first request, so that services start faster.
  let lookUp: ReturnType<typeof createLookup> | undefined;
  async function* serverReflectionInfo<Request extends { host: string; messageRequest: Question }>(
    requests: AsyncIterable<Request>,
  ) {
    for await (const request of requests) {
      lookUp ??= createLookup(listed);
      const { host: validHost, messageRequest } = request;
      yield { validHost, originalRequest: request, messageResponse: lookUp(messageRequest) };
    }
  }
  return [
    provide(ServerReflection, { serverReflectionInfo }),
    provide(ServerReflectionAlpha, { serverReflectionInfo }),
  ];
}

function createLookup(services: readonly DescService[]) {
  const files = withDependencies([
    ...services.map(({ file }) => file),
    file_google_rpc_error_details,
  ]);
  const types = createRegistry(...files);
  const fileNames = new Map(files.map((file) => [file.proto.name, file]));
  const symbols = new Map(files.flatMap((file) => symbolsOf(file).map((name) => [name, file])));

  const responseOf = (file: DescFile | undefined) =>
    file === undefined ? refusal(Code.NotFound, "nothing of this name is known") : filesOf(file);

  return (question: Question) => {
    switch (question.case) {
      case "listServices":
        return {
          case: "listServicesResponse" as const,
          value: { service: services.map(({ typeName }) => ({ name: typeName })) },
        };
      case "fileByFilename":
        return responseOf(fileNames.get(question.value));
      case "fileContainingSymbol":
        return responseOf(symbols.get(question.value));
      case "fileContainingExtension": {
        const { containingType, extensionNumber } = question.value;
        const extendee = types.getMessage(containingType);
        return responseOf(extendee && types.getExtensionFor(extendee, extensionNumber)?.file);
      }
      case "allExtensionNumbersOfType":
        return extensionsOf(question.value, types);
      default:
        return refusal(Code.InvalidArgument, "the request is empty");
    }
  };
}

function refusal(errorCode: Code, errorMessage: string) {
  return { case: "errorResponse" as const, value: { errorCode, errorMessage } };
}

/** A file and, after it, its imports, so that the client needs no further request. */
function filesOf(file: DescFile) {
  const fileDescriptorProto = withDependencies([file]).map(({ proto }) =>
    toBinary(FileDescriptorProtoSchema, proto),
  );
  return { case: "fileDescriptorResponse" as const, value: { fileDescriptorProto } };
}

function extensionsOf(baseTypeName: string, types: Registry) {
  if (types.getMessage(baseTypeName) === undefined) {
    return refusal(Code.NotFound, "no message of this name is known");
  }
  const extensionNumber = [...types].flatMap((type) =>
    type.kind === "extension" && type.extendee.typeName === baseTypeName ? [type.number] : [],
  );
  return {
    case: "allExtensionNumbersResponse" as const,
    value: { baseTypeName, extensionNumber },
  };
}

/** The files and everything that they import, each once. */
function withDependencies(files: readonly DescFile[]): DescFile[] {
  const found = new Set<DescFile>();
  const collect = (file: DescFile): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const dependency of file.dependencies) collect(dependency);
  };
  for (const file of files) collect(file);
  return [...found];
}

/** Full names of everything that a file declares, members included. */
function symbolsOf(file: DescFile): string[] {
  return [...nestedTypes(file)].flatMap((type) => [type.typeName, ...membersOf(type)]);
}

function membersOf(type: DescMessage | DescEnum | DescExtension | DescService): string[] {
  const { typeName } = type;
  switch (type.kind) {
    case "message":
      return type.members.map(({ name }) => `${typeName}.${name}`);
    case "service":
      return type.methods.map(({ name }) => `${typeName}.${name}`);
    case "enum": {
      // The values of an enum are in its enclosing scope.
      const scope = typeName.slice(0, typeName.lastIndexOf(".") + 1);
      return type.values.map(({ name }) => `${scope}${name}`);
    }
    default:
      return [];
  }
}
