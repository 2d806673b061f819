import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

// Two clusters run at a time, because tests mostly wait for VMs. The large one needs the processors, so it comes last.
const order = ['lab', 'trouble', 'first', 'tabs', 'keys', 'client', 'many', 'large'];
const place = ({ moduleId }: TestSpecification) => order.findIndex((name) => moduleId.endsWith(`/${name}.e2e.ts`));

class InOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)));
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    root: import.meta.dirname,
    include: [mode === 'frames' ? 'frames.measure.ts' : '**/*.e2e.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    maxConcurrency: 8,
    sequence: { concurrent: false, sequencer: InOrder },
    bail: 0,
    testTimeout: 300_000,
    hookTimeout: 400_000,
    reporters: ['verbose'],
  },
}));
