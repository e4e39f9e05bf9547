import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Everything is a file of its own below `/console/`: the router's policy allows no script, style or image inside a page. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  build: {
    assetsInlineLimit: 0,
    target: 'es2023',
    // A preload would be written into the page as a script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Whoever gets the bundle gets the licenses of what is in it; the router does not serve them.
    license: { fileName: 'licenses.md' },
  },
});
