import react from '@vitejs/plugin-react'
import { build, type Plugin, type ResolvedConfig } from 'vite'

/**
 * Builds the page of a device of a room, join.html, into the same folder by a separate build. In one build with the whole page,
 * shared code would be split into more files, and every visit of either page would fetch more. The page is useless offline, so the service
 * worker does not list its files: they are built after `precache`.
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
      // Another page, such as one of a benchmark, has no devices.
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
        build: {
          target,
          outDir,
          sourcemap,
          modulePreload,
          assetsInlineLimit,
          emptyOutDir: false,
          rolldownOptions: { input: 'join.html' },
        },
        worker: { format: worker.format, rolldownOptions: worker.rolldownOptions },
      })
    },
  }
}
