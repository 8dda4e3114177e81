import react from '@vitejs/plugin-react'
import { build, type Plugin, type ResolvedConfig } from 'vite'

/**
 * Builds the page of a device of a room, join.html, into the same folder by a build of its own: in one build with the whole page, what
 * both use would be cut into pieces for each other, and every visit of either would fetch more. Offline it is of no use, so the service
 * worker does not know its files: they come after `precache`.
 */
export function joinPage(): Plugin {
  let config: ResolvedConfig
  let wanted = false
  return {
    name: 'apportion-join-page',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    writeBundle(_, bundle) {
      // A page of another kind, as a benchmark builds it, has no devices.
      wanted = 'sw.js' in bundle
    },
    async closeBundle() {
      if (!wanted) return
      const { root, base, logLevel = 'info', build: options, worker } = config
      const { target, outDir, sourcemap, modulePreload, assetsInlineLimit } = options
      await build({
        configFile: false,
        root,
        base,
        publicDir: false,
        logLevel,
        plugins: [react()],
        build: { target, outDir, sourcemap, modulePreload, assetsInlineLimit, emptyOutDir: false, rolldownOptions: { input: 'join.html' } },
        worker: { format: worker.format, rolldownOptions: worker.rolldownOptions },
      })
    },
  }
}
