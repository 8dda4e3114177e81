// Runs a command of src/command.ts and prints only its output.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { importBundled, root } from './bundle.mjs'

/** Runs a command by its name. It is rebuilt after a change of a source, and then starts later. */
export async function runNamed(name) {
  process.argv.splice(2, 0, name)
  await importBundled(join(root, 'src/command.ts'), [join(root, 'src')], () => {
    // If packages are missing, the output of their installation must stay separate.
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: ['ignore', 2, 2] })
    if (status !== 0) process.exit(status ?? 1)
  })
}
