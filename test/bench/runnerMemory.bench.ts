import { fork } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, cache } from '../../scripts/bundle.mjs'
import type { BenchRow, Tools } from './tools.ts'

interface Growth {
  readonly inputs: number
  readonly seconds: number
  /** Resident memory of the process with its threads, in MB: when the first of them were through, the most and the last after that. */
  readonly after: number
  readonly most: number
  readonly last: number
}

/** What the process may have grown by when all inputs are through, in MB. */
const TARGET = 50

/** How far a process grows with tiny inputs through two stages, after the first 100,000. `--inputs=N` plays another number than 10,000,000. */
export default async function runnerMemory({ root, quick }: Tools): Promise<BenchRow[]> {
  const asked = process.argv.find((word) => word.startsWith('--inputs='))?.slice('--inputs='.length)
  const inputs = quick ? 20_000 : Number(asked ?? 10_000_000)
  const out = join(cache, 'bench', 'runner')
  await bundle(join(root, 'src/runner.ts'), out, 'runner.mjs')
  await bundle(join(root, 'src/runnerWorker.ts'), out, 'worker.mjs')
  const files = {
    runner: pathToFileURL(join(out, 'runner.mjs')).href,
    worker: pathToFileURL(join(out, 'worker.mjs')).href,
  }
  const { after, most, last, seconds } = await play(join(root, 'test/bench/runner/memory.mjs'), {
    inputs,
    first: Math.min(100_000, inputs / 2),
    files,
  })
  return [
    {
      name: `${inputs.toLocaleString('en-GB')} inputs`,
      figures: {
        seconds,
        'MB after the first 100,000': after,
        'at the end': last,
        most,
        [`grown by, MB (at most ${TARGET})`]: last - after,
        'most grown by': most - after,
      },
    },
  ]
}

function play(child: string, asked: object): Promise<Growth> {
  return new Promise((resolve, reject) => {
    const process = fork(child)
    process.on('message', (answer: Growth | { readonly at: string }) =>
      'at' in answer ? console.log(`  ${answer.at}`) : resolve(answer),
    )
    process.once('error', reject)
    process.once('exit', (code) => reject(new Error(`the process ended with code ${code}`)))
    process.send(asked)
  })
}
