import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/docs-examples.test.ts'],
          setupFiles: ['test/support/property-seed.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'docs', include: ['test/docs-examples.test.ts'] },
      },
    ],
  },
});
