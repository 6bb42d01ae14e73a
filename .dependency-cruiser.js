// The order of the folders under src/: each imports only from those before it, and from itself. Tests beside the
// sources obey it too: a test that needs a later folder belongs in test/.
const folders = [
  'event',
  'tokens',
  'coverage',
  'plan',
  'summary',
  'prompt',
  'store',
  'telemetry',
  'engine',
  'logs',
  'runner',
  'adapters',
  'server',
  'cli',
];

const order = folders.map((folder, at) => {
  const later = folders.slice(at + 1);
  return {
    name: `order-${folder}`,
    comment: `src/${folder} imports only from: ${folders.slice(0, at + 1).join(', ')}.`,
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: { path: later.length > 0 ? `^src/(${later.join('|')})/|^src/[^/]+$` : '^src/[^/]+$' },
  };
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...order,
    {
      name: 'known-folder',
      comment: 'A new folder of src/ needs a place in the list at the head of this file.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/(${folders.join('|')})/` },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      // A cycle of types alone is erased before anything runs.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-tests-in-sources',
      comment: 'Sources do not import tests, benchmarks, examples or scripts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { path: '\\.test\\.ts$|\\.fixture\\.ts$|^(test|bench|examples|scripts)/' },
    },
    {
      name: 'pure-core',
      comment:
        'These folders are values in, values out: no I/O, no clock, no randomness but hashing and ids.',
      severity: 'error',
      from: { path: '^src/(tokens|coverage|plan|prompt)/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'no-dev-dependency',
      comment: 'What ships may use dependencies and optional peers, not devDependencies.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm-peer', 'type-only'],
        pathNot: '^node_modules/@types/',
      },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|samples|coverage|reports|\\.stryker-tmp|\\.tmp)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      mainFields: ['types', 'module', 'main'],
    },
  },
};
