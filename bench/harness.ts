import { performance } from 'node:perf_hooks';

/** What one benchmark is told. */
export interface BenchContext {
  /** A fast form for CI: smaller inputs, fewer samples. */
  readonly short: boolean;
  /** A directory for files, deleted when the benchmark is over. */
  readonly directory: string;
  /** Says how far a long run is; to people, beside what is measured. */
  readonly progress: (text: string) => void;
}

/** A group of measurements that is chosen by name. */
export interface Benchmark {
  readonly name: string;
  run(context: BenchContext): Promise<readonly Row[]>;
}

/** What a report found: for programs, and the same for people. */
export interface Reported {
  readonly rows: readonly object[];
  readonly text: string;
}

/** A group of figures that are not times: chosen by name as a {@link Benchmark} is, with rows of its own. */
export interface Report {
  readonly name: string;
  run(context: BenchContext): Promise<Reported>;
}

/** What a figure must be: DESIGN §13. Shown beside it, never asserted. */
export type Bound = { readonly atMost: number } | { readonly atLeast: number };

/** One measured figure. `ok` is null where nothing is asked of it. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  /** How many samples it is the median of. */
  readonly n: number;
  readonly median: number;
  /** The tenth and the ninetieth of a hundred samples. */
  readonly p10: number;
  readonly p90: number;
  readonly bound: Bound | null;
  readonly ok: boolean | null;
  /** This row's median divided by that of another of the same run. */
  readonly ratio: { readonly to: string; readonly value: number } | null;
  readonly note: string | null;
}

/** What beside its samples a row says. */
export interface RowOptions {
  readonly bound?: Bound;
  /** A row of the same run to compare with: a peer, or the same thing at another size. */
  readonly against?: Row;
  readonly note?: string;
}

/** A row from its samples, in the row's unit. */
export function row(name: string, unit: string, samples: readonly number[], options: RowOptions = {}): Row {
  const sorted = [...samples].sort((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  const { bound = null, against } = options;
  return {
    name,
    unit,
    n: samples.length,
    median,
    p10: quantile(sorted, 0.1),
    p90: quantile(sorted, 0.9),
    bound,
    ok: bound === null ? null : 'atMost' in bound ? median <= bound.atMost : median >= bound.atLeast,
    ratio: against === undefined ? null : { to: against.name, value: median / against.median },
    note: options.note ?? null,
  };
}

/** The value below which a share of the sorted samples lies. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))));
  return sorted[at] ?? Number.NaN;
}

/** How often to run something. */
export interface Sampling {
  readonly samples: number;
}

/** Milliseconds of one run, per sample; a run that is too short for the clock is repeated within its sample. */
export async function milliseconds(run: () => unknown, { samples }: Sampling): Promise<readonly number[]> {
  const warm = performance.now() + WARM_UP;
  for (let runs = 0; runs < 2 || performance.now() < warm; runs += 1) await run();
  const once = (await timed(run, 3)) / 3;
  const repeats = Math.max(1, Math.min(10_000, Math.ceil(SHORTEST_SAMPLE / Math.max(once, 1e-4))));
  const out: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) out.push((await timed(run, repeats)) / repeats);
  return out;
}

/** Megabytes (of 1,000,000 bytes) a second, from the milliseconds each pass over so many bytes took. */
export function megabytesPerSecond(bytes: number, times: readonly number[]): readonly number[] {
  return times.map((time) => bytes / 1_000 / time);
}

/** Milliseconds to run before the first sample, so that what is measured is compiled. */
const WARM_UP = 300;
/** Milliseconds a sample must last: much more than the clock's grain, less than a scheduler's slice on a busy machine. */
const SHORTEST_SAMPLE = 1;

async function timed(run: () => unknown, repeats: number): Promise<number> {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  return performance.now() - start;
}
