/** Of the OpenAPI document, what the text is made of. */
export interface DescribedApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface DescribedOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/** The document in the form of https://llmstxt.org: what language models are to know of the API. */
export function llmsText(
  { info, tags, paths }: DescribedApi,
  toolNames: readonly string[],
): string {
  const [summary = "", ...rules] = info.description.split("\n\n");
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const lines = own.map(
      ({ path, method, operation }) =>
        `- \`${method.toUpperCase()} ${path}${queryOf(operation)}\`: ${operation.summary}. ${operation.description}`,
    );
    return `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n${description}\n\n${lines.join("\n")}`;
  });
  const documents = [
    "- [OpenAPI document](/openapi.json): every operation with its parameters, responses and examples",
    "- [API reference](/docs): the same for people, to be tried out",
    "- [Guides](/docs/guides): rules and examples by topic",
    `- [Model Context Protocol](/mcp): by POST, without a login: ${toolNames.join(", ")}`,
  ];
  return [
    `# ${info.title}`,
    `> ${summary}`,
    ...rules,
    `## Documents\n\n${documents.join("\n")}`,
    ...sections,
    "",
  ].join("\n\n");
}

function queryOf({ parameters = [] }: DescribedOperation): string {
  const names = parameters.flatMap((parameter) => (parameter.in === "query" ? parameter.name : []));
  return names.length === 0 ? "" : `{?${names.join(",")}}`;
}
