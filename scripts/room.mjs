// Opens a room of workers: npm run room [-- options]
// Builds the page after a change of its sources. With --json it prints one line only.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './bundle.mjs'
import { runNamed } from './command.mjs'

const words = process.argv.slice(2)
if (!words.some((word) => /^--(help|page)(=|$)/.test(word))) {
  // In a separate process: the builder uses much memory, and the room may be open all day.
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts/roomPage.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (status !== 0) process.exit(status ?? 1)
  process.argv.push('--page', stdout.trim())
}
await runNamed('room')
