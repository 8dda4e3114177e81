import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { bundle, cache, root } from '../../../scripts/bundle.mjs'

/** Builds what a thread loads. Returns a function that starts such a thread, and the threads that have not ended. */
export async function threadsOfNode() {
  const folder = join(cache, `runner-test-${process.pid}`)
  await bundle(join(root, 'src/runnerWorker.ts'), folder, 'worker.mjs')
  /** What stages share that count the threads that are there. */
  const crowd = new SharedArrayBuffer(8)
  const living = new Set<Worker>()
  let started = 0
  return {
    folder,
    living,
    crowd: new Int32Array(crowd),
    get started() {
      return started
    },
    worker(): Worker {
      const worker = new Worker(new URL('./stages.mjs', import.meta.url), {
        workerData: { entry: join(folder, 'worker.mjs'), crowd },
      })
      started++
      living.add(worker)
      worker.on('exit', () => living.delete(worker))
      return worker
    },
  }
}
