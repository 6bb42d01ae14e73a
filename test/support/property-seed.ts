import * as fc from 'fast-check';

// The same cases in every run, so that a change is judged by itself. PALIMPSEST_RUNS, for long runs, or PALIMPSEST_SEED
// looks at others; a failure prints its seed.
const { PALIMPSEST_RUNS: runs, PALIMPSEST_SEED: seed } = process.env;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
else if (runs === undefined) fc.configureGlobal({ seed: 1 });
