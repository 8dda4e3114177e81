import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, cache, root } from '../../../../scripts/bundle.mjs'
import { pageEnvironment } from '../../../../src/engine/threads/pageEnvironment.ts'
import { openCarrier } from '../../../../src/features/room/brokerClient/openCarrier.ts'
import { lendFunctions } from '../../../../src/features/room/functions/lendFunctions.ts'
import { FUNCTIONS_BUILD, functionsAddress } from '../../../../src/features/room/functions/room.ts'
import { type Carrier, deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { type LenderState, lend } from '../../../../src/features/room/protocol/lender.ts'

/** What lenders load. Each stage says where it ran, so that tests see it. */
const stages = `import { serve } from './worker.mjs'
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
serve({
  first: async (n) => (await pause(1), n + 1),
  second: async (n) => (await pause(2), n * 2),
  third: (n) => 'n' + n,
  same: (value) => value,
  odd: (n) => { if (n % 2 === 0) throw new Error('even: ' + n); return n },
  long: (length) => new Uint8Array(length).fill(7),
  sum: (bytes) => bytes.reduce((a, b) => a + b, 0),
  throws: () => { throw new RangeError('cannot bear it') },
  exits: (n, { tries }) => { if (n === 7 && tries === 1) process.exit(3); return n },
  where: (n) => n + ':' + process.pid,
})
`

export interface LenderOptions {
  readonly threads?: number
  readonly name?: string
  readonly module?: string
  readonly build?: string
  /** What begins its threads, instead of the module. */
  readonly start?: ReturnType<typeof lendFunctions>
  /** Sees all that the device publishes. */
  readonly published?: (topic: string, bytes: Uint8Array) => void
}

/** Lends functions, as processes of the command or inside this process. */
export async function lendersHere() {
  const folder = join(cache, `lent-functions-${process.pid}`)
  await bundle(join(root, 'src/runnerWorker.ts'), folder, 'worker.mjs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'stages.mjs'), stages)
  // A lender that throws at all inputs, at once.
  writeFileSync(
    join(folder, 'liar.mjs'),
    `import { serve } from './worker.mjs'\nconst no = () => { throw new Error('made up') }\nserve({ first: no, second: no, third: no, odd: no })\n`,
  )
  // One that lies with outputs, and one whose outputs nobody can repeat.
  writeFileSync(
    join(folder, 'wrong.mjs'),
    `import { serve } from './worker.mjs'\nserve({ first: (n) => n + 1, second: (n) => n * 2 + (n % 9 === 0 ? 1 : 0), third: (n) => 'n' + n })\n`,
  )
  writeFileSync(
    join(folder, 'random.mjs'),
    `import { serve } from './worker.mjs'\nserve({ first: (n) => [n, Math.random()] })\n`,
  )
  writeFileSync(join(folder, 'other.mjs'), `import { serve } from './worker.mjs'\nserve({ first: (n) => n })\n`)
  const children = new Set<ChildProcess>()
  const leaving: (() => void)[] = []
  let count = 0
  return {
    folder,
    /** Starts the command and waits until it is in the room. */
    async process(
      link: string,
      { threads = 2, name = 'lender', module = 'stages.mjs' }: LenderOptions = {},
    ): Promise<ChildProcess> {
      const words = [
        'scripts/lend.mjs',
        link,
        '--threads',
        String(threads),
        '--name',
        name,
        '--module',
        join(folder, module),
      ]
      const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
      children.add(child)
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (text) => String(text).includes('In room') && resolve())
        child.once('exit', (code) => reject(new Error(`the lender ended with ${code}`)))
      })
      return child
    },
    /** Lends threads of this process. A process of its own takes seconds to start. */
    async here(
      link: string,
      {
        threads = 2,
        name = 'here',
        module = 'stages.mjs',
        build = FUNCTIONS_BUILD,
        published,
        ...more
      }: LenderOptions = {},
    ) {
      const address = functionsAddress(link)
      if (address instanceof Error) throw address
      const device = `fn${process.pid}x${count++}`
      const carrier = await openCarrier(address, {
        clientId: device,
        willTopic: deviceTopic(address.room, device, 'is', 'f'),
      })
      const states: LenderState[] = []
      const start = more.start ?? lendFunctions(pathToFileURL(join(folder, module)))
      const { every } = pageEnvironment()
      const seen: Carrier = {
        ...carrier,
        publish(topic, bytes, retain) {
          published?.(topic, bytes.slice())
          carrier.publish(topic, bytes, retain)
        },
      }
      const lender = lend(
        seen,
        { room: address.room, device, space: 'f', name, build, threads, lacks: [], start, every },
        (state) => states.push(state),
      )
      let left = false
      const leave = () => {
        if (left) return
        left = true
        lender.leave()
        carrier.end()
      }
      leaving.push(leave)
      return { states, leave, publish: carrier.publish }
    },
    /** All leave. */
    end(): void {
      for (const child of children) child.kill('SIGKILL')
      children.clear()
      for (const leave of leaving.splice(0)) leave()
    },
  }
}
