// Plays a scenario in the simulation under Node: npm run -s headless -- FILE-OR-LINK [options]
// Prints what src/headless.ts prints and nothing else. It is built again when a source has changed; then it starts later.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { importBundled, root } from './bundle.mjs'

await importBundled(join(root, 'src/headless.ts'), [join(root, 'src')], () => {
  // Should packages be missing, their installation must not mix with the output.
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
})
