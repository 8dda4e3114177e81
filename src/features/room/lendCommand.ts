import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import process from 'node:process'
import { MessageChannel, type MessagePort as NodePort, Worker } from 'node:worker_threads'
import { type Endpoint, expose, wrap } from 'comlink'
import { type BatchPort, serveBatches } from '../../engine/conductor/batchPort.ts'
import type { StartThread } from '../../engine/conductor/environment.ts'
import { createWorkerApi, type WorkerApi } from '../../engine/threads/workerApi.ts'
import { print, Refused, readWords, usageShown, wrongWords } from '../../headless/command.ts'
import { msg } from '../../language/msg.ts'
import type { RoomAddress } from '../../runs/remote/remoteEngine.ts'
import type { TerminalCommand } from '../../runs/remote/studies.ts'
import { quoted } from '../../scenario/model/words.ts'
import { openCarrier } from './brokerClient/openCarrier.ts'
import { type LenderState, lend } from './protocol/lender.ts'
import { readRoomLink } from './protocol/links.ts'

const usage = `usage: {lend} JOIN-LINK [--threads n] [--name text]

  --threads n     how many threads it lends (${availableParallelism()}: one for each core; at most 64)
  --name text     what others call this machine (${hostname()})`

const MAX_THREADS = 64
/** How often the line about the work is updated. */
const SAY_MILLISECONDS = 1000
/** How long the goodbye has to reach the broker. */
const GOODBYE_MILLISECONDS = 200

function readPlan(words: readonly string[]) {
  const { subjects, values } = readWords(words, ['--threads', '--name'], usage)
  if (subjects.length !== 1) throw wrongWords('', 'one link to join a room is needed', usage)
  const address = addressOf(subjects[0])
  if (address instanceof Error) throw wrongWords('', address.message, usage)
  const threads = values.get('--threads') ?? String(Math.min(MAX_THREADS, availableParallelism()))
  if (!/^\d{1,2}$/.test(threads) || Number(threads) < 1 || Number(threads) > MAX_THREADS)
    throw wrongWords('--threads', `found ${quoted(threads)}; allowed: a whole number from 1 to ${MAX_THREADS}`, usage)
  return { address, threads: Number(threads), name: values.get('--name') ?? hostname() }
}

function addressOf(words: string): RoomAddress | Error {
  const link = readRoomLink(words, 'join')
  if (link.found === 'nothing')
    return new Error(`${quoted(words)} is not a link to join a room. Copy the whole link and try again.`)
  return link.found === 'problem' ? new Error(link.problem) : link.address
}

async function lendThreads(words: readonly string[], script: URL): Promise<void> {
  if (words.includes('--help')) return print(usageShown(usage))
  const { address, threads, name } = readPlan(words)
  const device = `node${randomBytes(8).toString('hex')}`
  const carrier = await openCarrier(address, device).catch((error: Error) => {
    throw new Refused([{ path: '', message: error.message }])
  })
  let state: LenderState | null = null
  const lent = { build: 'node', start: startNodeThread(script), lacks: [], every }
  const lender = lend(carrier, { room: address.room, device, name, threads, ...lent }, (now) => {
    state = now
  })
  let shown = ''
  every(SAY_MILLISECONDS, () => {
    const words = state === null ? '' : wordsOf(state, threads)
    if (words !== shown) print(words)
    shown = words
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      lender.leave()
      carrier.end()
      setTimeout(() => process.exit(0), GOODBYE_MILLISECONDS)
    })
  }
  print(`In room ${address.room} with ${threads} ${threads === 1 ? 'thread' : 'threads'}. Ctrl-C leaves it.`)
}

function wordsOf({ up, workers, stage, done }: LenderState, threads: number): string {
  if (!up) return 'The broker of the room does not answer; trying again.'
  const jobs = `${done} ${done === 1 ? 'job' : 'jobs'} done.`
  if (workers.length === 0) return `In reserve with ${threads} ${threads === 1 ? 'thread' : 'threads'}. ${jobs}`
  const who = `${workers.length === 1 ? 'Worker' : 'Workers'} ${workers.map((worker) => worker + 1).join(', ')}`
  return `${who}${stage === null ? '' : `, last at ${stage.name}`}. ${jobs}`
}

function every(milliseconds: number, call: () => void): () => void {
  const timer = setInterval(call, milliseconds)
  return () => clearInterval(timer)
}

/** Returns what starts a thread of this process, which runs this script and serves like a worker of the page. */
const startNodeThread =
  (script: URL): StartThread =>
  (_, events) => {
    const { port1, port2 } = new MessageChannel()
    const thread = new Worker(script, { workerData: { command: 'lend', data: port2 }, transferList: [port2] })
    const workerApi = wrap<WorkerApi>(port1 as unknown as Endpoint)
    let over = false
    thread.on('error', (error) => over || events.error(error instanceof Error ? error.message : String(error)))
    thread.on('exit', () => over || events.lost(msg('has ended')))
    return {
      // The thread reports its exit, so no lock is needed.
      hello: () => workerApi.hello(''),
      clock: () => workerApi.clock(),
      hangAt: (time) => workerApi.hangAt(time),
      port: port1 as unknown as BatchPort,
      onEnd() {},
      end() {
        over = true
        port1.close()
        void thread.terminate()
      },
    }
  }

/** Serves the calls and batches that come through the port of this thread. */
function serve(port: NodePort): void {
  const workerApi = createWorkerApi()
  expose(workerApi, port as unknown as Endpoint)
  serveBatches(port as unknown as Parameters<typeof serveBatches>[0], workerApi.work)
}

export const lendCommand: TerminalCommand = { run: lendThreads, serve: (data) => serve(data as NodePort) }
