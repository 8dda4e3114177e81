// Plays a scenario in the simulation under Node: npm run -s headless -- FILE-OR-LINK [options]
// Prints what src/headless.ts prints and nothing else.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Should packages be missing, their installation must not mix with the output.
const setup = spawnSync(process.execPath, [fileURLToPath(new URL('setup.mjs', import.meta.url))], { stdio: ['ignore', 2, 2] })
if (setup.status !== 0) process.exit(setup.status ?? 1)

const { importBundled, root } = await import('./bundle.mjs')
await importBundled(join(root, 'src/headless.ts'))
