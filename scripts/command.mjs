// Runs a command of src/command.ts whose output is the command's alone.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { importBundled, root } from './bundle.mjs'

/** Runs a command by its name. It is built again when a source has changed; then it starts later. */
export async function runNamed(name) {
  process.argv.splice(2, 0, name)
  await importBundled(join(root, 'src/command.ts'), [join(root, 'src')], () => {
    // Should packages be missing, their installation must not mix with the output.
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: ['ignore', 2, 2] })
    if (status !== 0) process.exit(status ?? 1)
  })
}
