import { defineConfig } from 'vitest/config';

// One cluster and one browser at a time: the machine has few processors.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.e2e.ts'],
    environment: 'node',
    fileParallelism: false,
    sequence: { concurrent: false },
    bail: 0,
    testTimeout: 90_000,
    hookTimeout: 400_000,
    reporters: ['verbose'],
  },
});
