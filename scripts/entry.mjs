// Runs an entry of src as a command whose output is the entry's alone.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Bundles and runs an entry, by its path in the repository. Should packages be missing, their installation must not mix with the output. */
export async function runEntry(entry) {
  const setup = spawnSync(process.execPath, [fileURLToPath(new URL('setup.mjs', import.meta.url))], { stdio: ['ignore', 2, 2] })
  if (setup.status !== 0) process.exit(setup.status ?? 1)
  const { importBundled, root } = await import('./bundle.mjs')
  await importBundled(join(root, entry))
}
