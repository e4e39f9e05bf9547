import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The page of `waybill-receiver`, from parts of the console. Everything is a file of its own: its policy allows nothing inside a page. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  // A tenth of the size: the page comes along with a package of tests (decisions/032).
  resolve: {
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      react: 'preact/compat',
    },
  },
  build: {
    assetsInlineLimit: 0,
    target: 'es2023',
    // A preload would be written into the page as a script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Whoever gets the package gets the licenses of what is in its page.
    license: { fileName: 'licenses.md' },
  },
});
