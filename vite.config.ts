import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { checksums } from './scripts/checksums.ts'
import { headersAlways } from './scripts/headers.ts'
import { joinPage } from './scripts/joinPage.ts'
import { licences } from './scripts/licences.ts'
import { precache } from './scripts/precache.ts'
import { shell } from './scripts/shell.ts'
import { wordsPage } from './scripts/wordsPage.ts'

/** Makes the page cross-origin isolated, which sharpens its clocks and allows shared memory. Everything works without it too. */
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/**
 * Nothing from elsewhere, nothing inline. It is sent as a header, on worker scripts too: a meta tag does not bind workers.
 * Only the built app is held to it, since Vite's development server writes an inline script of its own.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default picture',
].join('; ')

/**
 * For the threads that play runs: the code of a policy runs in WebAssembly there. A worker has the policy of its own script, so nothing
 * else may compile WebAssembly.
 */
export const sandboxSecurityPolicy = contentSecurityPolicy.replace(
  "script-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
)

/** For the document in whose threads the code of stages runs: it has no origin, and reaches nothing. The document repeats it, for hosts without headers. */
export const stageSecurityPolicy =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' data:; worker-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'"

export default defineConfig({
  // Relative addresses, so that the build can be put under any path of any host.
  base: './',
  plugins: [
    react(),
    shell(),
    licences(),
    wordsPage(),
    precache(),
    joinPage(),
    headersAlways(contentSecurityPolicy, sandboxSecurityPolicy, stageSecurityPolicy),
    checksums(),
  ],
  // React has had this hook itself since version 18; the shim is for older ones.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  server: { headers: isolation },
  // Bundled in advance, the package would look for its WebAssembly in the wrong place.
  optimizeDeps: { exclude: ['@jitl/quickjs-wasmfile-release-sync'] },
  // Any page may fetch the script of the element, and nothing here is anybody's own.
  preview: { headers: isolation, cors: { origin: '*' } },
  build: {
    target: 'es2022',
    sourcemap: true,
    chunkSizeWarningLimit: 1000,
    // Small files would become data: addresses, which the policy above refuses for fonts.
    assetsInlineLimit: 0,
    // It is an inline script; every browser that runs module workers preloads by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Pages elsewhere name the file of their element, browsers that of the service worker: each has one name for ever.
      input: { index: 'index.html', embed: 'src/embed.ts', sw: 'src/sw.ts' },
      output: {
        // The page is one file, not one for each set of parts that share a module.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], test: (id) => !/\/src\/(embed|sw)\b/.test(id), priority: 1 },
            { name: 'page', test: /\/src\/page\.ts$/ },
          ],
        },
        entryFileNames: ({ name }) => (name === 'embed' || name === 'sw' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  worker: {
    format: 'es',
    // A thread is known by its script: conductor, simulation, pool.
    rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } },
  },
})
