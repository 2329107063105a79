import { Counter, Gauge } from "prom-client";
import type { Metrics } from "./create-metrics.ts";

/** Labels of a sample and its value. */
export type Sample<Label extends string> = readonly [
  labels: Partial<Record<Label, string>>,
  value: number,
];

/** What a metric is called and what it means. */
export interface ReportedMetric<Label extends string> {
  name: string;
  /** One sentence. */
  help: string;
  /** Default none. */
  labelNames?: readonly Label[];
}

/** Gives all samples of a metric. */
export type ReadSamples<Label extends string> = () =>
  | Iterable<Sample<Label>>
  | Promise<Iterable<Sample<Label>>>;

/** A gauge whose samples are read when the page is asked for; those that are not given are gone. */
export function reportGauge<Label extends string = never>(
  metrics: Metrics,
  { name, help, labelNames = [] }: ReportedMetric<Label>,
  read: ReadSamples<Label>,
): void {
  void new Gauge<Label>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [metrics],
    async collect() {
      const samples = await read();
      this.reset();
      // What is left is the 0 of a gauge without labels, where nothing may be known.
      this.remove({});
      for (const [labels, value] of samples) this.set(labels, value);
    },
  });
}

/**
 * A counter that is kept elsewhere, as a number, which costs a hot path nothing, and read when the
 * page is asked for.
 */
export function reportCounter<Label extends string = never>(
  metrics: Metrics,
  { name, help, labelNames = [] }: ReportedMetric<Label>,
  read: () => Iterable<Sample<Label>>,
): void {
  void new Counter<Label>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.inc(labels, value);
    },
  });
}
