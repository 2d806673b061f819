import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// While developing, the page is served by Vite and everything else by a manager.
const manager = process.env.ALIQUOT_MANAGERS?.split(',')[0] ?? 'http://127.0.0.1:7420';
const tokenFile = process.env.ALIQUOT_TOKEN_FILE;
const headers = tokenFile ? { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` } : undefined;

export default defineConfig({
  plugins: [react()],
  server: { port: 5173, strictPort: true, proxy: { '/v1': { target: manager, headers } } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'mantine', test: /node_modules[\\/](@mantine|@floating-ui|react-remove-scroll|react-textarea)/ },
            { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler|@tanstack)[\\/]/ },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    unstubGlobals: true,
    // This saves two thirds of the work: the files of a thread share its document, which every test leaves empty.
    pool: 'threads',
    isolate: false,
    testTimeout: 60_000,
  },
});
