import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, cache, root } from '../../../../scripts/bundle.mjs'

/** What lenders load. Each stage says where it ran, so that tests see it. */
const stages = `import { serve } from './worker.mjs'
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
serve({
  first: async (n) => (await pause(1), n + 1),
  second: async (n) => (await pause(2), n * 2),
  third: (n) => 'n' + n,
  same: (value) => value,
  long: (length) => new Uint8Array(length).fill(7),
  sum: (bytes) => bytes.reduce((a, b) => a + b, 0),
  throws: () => { throw new RangeError('cannot bear it') },
  exits: (n, { tries }) => { if (n === 7 && tries === 1) process.exit(3); return n },
  where: (n) => n + ':' + process.pid,
})
`

/** Processes of the command that lend functions. */
export async function lendersHere() {
  const folder = join(cache, `lent-functions-${process.pid}`)
  await bundle(join(root, 'src/runnerWorker.ts'), folder, 'worker.mjs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'stages.mjs'), stages)
  writeFileSync(join(folder, 'other.mjs'), `import { serve } from './worker.mjs'\nserve({ first: (n) => n })\n`)
  const children = new Set<ChildProcess>()
  return {
    /** Starts the command and waits until it is in the room. */
    async lend(link: string, { threads = 2, name = 'lender', module = 'stages.mjs' } = {}): Promise<ChildProcess> {
      const words = ['scripts/lend.mjs', link, '--threads', String(threads), '--name', name, '--module', join(folder, module)]
      const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
      children.add(child)
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (text) => String(text).includes('In room') && resolve())
        child.once('exit', (code) => reject(new Error(`the lender ended with ${code}`)))
      })
      return child
    },
    async end(): Promise<void> {
      for (const child of children) child.kill('SIGKILL')
      children.clear()
    },
  }
}
