// Runs an entry of src as a command whose output is the entry's alone.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { importBundled, root } from './bundle.mjs'

/** Runs an entry, by its path in the repository. It is built again when a source has changed; then it starts later. */
export async function runEntry(entry) {
  await importBundled(join(root, entry), [join(root, 'src')], () => {
    // Should packages be missing, their installation must not mix with the output.
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: ['ignore', 2, 2] })
    if (status !== 0) process.exit(status ?? 1)
  })
}
