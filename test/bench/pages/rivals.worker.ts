import { expose, wrap } from 'comlink'
import type { BatchOrder, Reply } from '../../../src/engine/conductor/batchPort.ts'
import { trustOwnScripts } from '../../../src/engine/threads/liveness.ts'
import type { WorkerApi } from '../../../src/engine/threads/workerApi.ts'

export type Way = 'postMessage' | 'port' | 'comlink'

export interface Rivals {
  measure(way: Way, jobs: number, size: number): Promise<number>
}

const THREADS = 2

/** A way to process batches: `work` may be called once per thread at a time. */
interface Crew {
  work(thread: number, batch: BatchOrder): Promise<Reply>
  end(): void
}

const crews: Readonly<Record<Way, () => Crew>> = {
  postMessage: plainCrew,
  port: portCrew,
  comlink: comlinkCrew,
}

function plainCrew(): Crew {
  const threads = plainThreads()
  return crewOver(threads, threads)
}

/** The same threads over a port that was handed to them, which is the way to the threads of a frame: some browsers take it through another thread or process. */
function portCrew(): Crew {
  const threads = plainThreads()
  const ports = threads.map((thread) => {
    const { port1, port2 } = new MessageChannel()
    thread.postMessage(null, [port2])
    return port1
  })
  return crewOver(threads, ports)
}

const plainThreads = () => times(() => new Worker(new URL('./plain.worker.ts', import.meta.url), { type: 'module' }))

/** `ports`: by thread, where it is asked and answers. */
function crewOver(threads: readonly Worker[], ports: readonly (Worker | MessagePort)[]): Crew {
  return {
    work: (thread, batch) =>
      new Promise((resolve) => {
        ports[thread].onmessage = ({ data }: MessageEvent<Reply>) => resolve(data)
        ports[thread].postMessage(batch)
      }),
    end: () => threads.forEach((thread) => void thread.terminate()),
  }
}

/** The product's own threads, without the product's conductor. */
function comlinkCrew(): Crew {
  const threads = times(() => new Worker(new URL('../../../src/pool.worker.ts', import.meta.url), { type: 'module' }))
  const remotes = threads.map((thread) => wrap<WorkerApi>(thread).work)
  return {
    work: (thread, batch) => remotes[thread](batch),
    end: () => threads.forEach((thread) => void thread.terminate()),
  }
}

/** The message that the conductor would send. */
function batchOf(from: number, size: number): BatchOrder {
  const jobs = Array.from({ length: size }, (_, k) => from + k)
  return {
    work: 'burn',
    stage: 0,
    switchCosts: jobs.map(() => 0),
    jobs,
    services: jobs.map(() => 1),
    failing: [],
    payloads: null,
  }
}

const rivals: Rivals = {
  async measure(way, jobs, size) {
    const crew = crews[way]()
    // Warms up: until every thread has answered several times, it is being started and compiled.
    for (let k = 0; k < jobs / size / 10; k++) await Promise.all(times((thread) => crew.work(thread, batchOf(0, size))))
    let next = 0
    let worked = 0
    const began = performance.now()
    await Promise.all(
      times(async (thread) => {
        while (next < jobs) {
          const batch = batchOf(next, size)
          next += size
          const { ended } = await crew.work(thread, batch)
          worked += ended.length
        }
      }),
    )
    const milliseconds = performance.now() - began
    crew.end()
    if (worked < jobs) throw new Error(`${worked} of ${jobs} jobs were worked on`)
    return milliseconds
  },
}

function times<T>(make: (thread: number) => T): T[] {
  return Array.from({ length: THREADS }, (_, thread) => make(thread))
}

trustOwnScripts()
expose(rivals)
