import { createWorkerApi, serveConductor } from '../../../src/engine/threads/workerApi.ts'

type Work = ReturnType<typeof createWorkerApi>['work']

/** What a faulty worker does instead of its work, or in addition. */
const faults: Readonly<Record<string, () => ReturnType<Work> | undefined>> = {
  closes() {
    close()
    return new Promise(() => {})
  },
  loops() {
    for (;;);
  },
  throws() {
    setTimeout(() => {
      throw new Error('oops')
    })
    return undefined
  },
}

// A faulty worker. Its name gives the fault and its first faulty batch: `closes 2`.
const [fault, first] = self.name.split(' ')
const workerApi = createWorkerApi()
let batches = 0
serveConductor({
  ...workerApi,
  work(batch: Parameters<Work>[0]) {
    return (++batches >= Number(first) ? faults[fault]() : undefined) ?? workerApi.work(batch)
  },
})
