import { type MessagePort, Worker } from 'node:worker_threads'
import { type FinderAnswer, type FinderTask, playFinderTask } from './finder.ts'

/** Threads that play tasks of the finder, one at a time each. */
export interface FinderThreads {
  play(task: FinderTask): Promise<FinderAnswer>
  end(): Promise<unknown>
}

/** Opens `count` threads, which run this script of the terminal's commands. */
export function openFinderThreads(script: URL, count: number): FinderThreads {
  const threads = Array.from({ length: count }, () => new Worker(script, { workerData: { command: 'find' } }))
  const free = [...threads]
  const waiting: ((thread: Worker) => void)[] = []
  return {
    async play(task) {
      const thread = free.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)))
      const answer = await new Promise<FinderAnswer>((resolve, reject) => {
        const settled = (answer: FinderAnswer) => {
          thread.off('error', reject)
          resolve(answer)
        }
        thread.once('message', settled).once('error', reject)
        thread.postMessage(task)
      })
      const next = waiting.shift()
      if (next === undefined) free.push(thread)
      else next(thread)
      return answer
    },
    end: () => Promise.all(threads.map((thread) => thread.terminate())),
  }
}

/** Plays the tasks that come to this thread. */
export function serveFinder(port: MessagePort): void {
  port.on('message', async (task: FinderTask) => port.postMessage(await playFinderTask(task)))
}
