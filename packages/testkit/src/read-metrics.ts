/** A metric of a page of metrics. */
export interface MetricFamily {
  type: string;
  samples: MetricSample[];
}

/** One line of a page of metrics. */
export interface MetricSample {
  /** The metric's, with the suffix `_bucket`, `_sum` or `_count` in a histogram. */
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A page of metrics, by the names of its metrics. */
export type MetricsPage = ReadonlyMap<string, MetricFamily>;

/** Reads a page of metrics. @throws Error when the request fails or the page is malformed. */
export async function readMetrics(url: string): Promise<MetricsPage> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return parseMetrics(await response.text());
}

/** Reads Prometheus's text format. @throws Error when it is malformed. */
export function parseMetrics(text: string): MetricsPage {
  const page = new Map<string, MetricFamily>();
  let family: MetricFamily | undefined;
  for (const line of text.split("\n")) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) {
      family = { type, samples: [] };
      page.set(name, family);
    }
    if (line === "" || line.startsWith("#")) continue;
    if (family === undefined) throw new Error(`a sample without a type: ${line}`);
    family.samples.push(sampleOf(line));
  }
  return page;
}

/** Sum of the samples of a name that have these labels; 0 when there are none. */
export function sumOf(
  page: MetricsPage,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const wanted = Object.entries(labels);
  return [...page.values()]
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => wanted.every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

function sampleOf(line: string): MetricSample {
  const [, name, labelText = "", value] =
    /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (const [, label = "", text = ""] of labelText.matchAll(
    /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g,
  )) {
    labels[label] = text;
  }
  return { name, labels, value: numberOf(value) };
}

function numberOf(text: string): number {
  if (text === "Nan" || text === "NaN") return Number.NaN;
  return text.endsWith("Inf") ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text);
}
