import { type ChildProcess, spawn } from 'node:child_process'

/** A process of a trial, which answers one message at a time. */
export interface Child {
  readonly pid: number
  /** Resolves with the answer. Rejects if the process ends first, or reports a failure. */
  ask<Answer>(message: object): Promise<Answer>
  /** Resolves when the process reports this event: see `tellParent`. */
  waitForEvent(event: string): Promise<void>
  kill(signal: NodeJS.Signals): void
}

interface ChildMessage {
  readonly answer?: never
  readonly failed?: string
  readonly event?: string
}

/** Starts the processes of a trial, and ends all of them. */
export interface ProcessGroup {
  /** Starts a process that runs the function with this name in `processes`. */
  start(name: 'conductor' | 'lenders'): Child
  /** Starts another command, and resolves when it has printed this text. */
  command(file: string, words: readonly string[], awaited: string): Promise<Child>
  end(): void
}

/** `module` is the address of the file that exports `processes`. */
export function createProcessGroup(module: string): ProcessGroup {
  const all = new Set<ChildProcess>()

  function keep(child: ChildProcess): Child {
    all.add(child)
    child.once('exit', () => all.delete(child))
    return {
      pid: child.pid ?? 0,
      ask: (message) =>
        new Promise((resolve, reject) => {
          const ended = () => reject(new Error('a process of the trial has ended'))
          child.once('exit', ended)
          child.on('message', function onMessage({ answer, failed, event }: ChildMessage) {
            if (event !== undefined) return
            child.off('exit', ended)
            child.off('message', onMessage)
            if (failed === undefined) resolve(answer as never)
            else reject(new Error(failed))
          })
          child.send(message)
        }),
      waitForEvent: (awaited) =>
        new Promise((resolve) => {
          child.on('message', function onMessage({ event }: ChildMessage) {
            if (event !== awaited) return
            child.off('message', onMessage)
            resolve()
          })
        }),
      kill: (signal) => void child.kill(signal),
    }
  }

  return {
    start: (name) =>
      keep(
        spawn(
          process.execPath,
          ['--input-type=module', '--eval', `(await import(${JSON.stringify(module)})).processes.${name}()`],
          {
            stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
          },
        ),
      ),
    command(file, words, awaited) {
      const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'pipe'] })
      const kept = keep(child)
      return new Promise((resolve, reject) => {
        let output = ''
        const onMessage = (text: unknown) => {
          output += String(text)
          if (output.includes(awaited)) resolve(kept)
        }
        child.stdout.on('data', onMessage)
        child.stderr.on('data', onMessage)
        child.once('error', reject)
        child.once('exit', () => reject(new Error(output)))
      })
    },
    end() {
      for (const child of all) child.kill('SIGKILL')
    },
  }
}

/** Answers each message of the parent process, and ends with it. */
export function answerParent<Message>(answer: (message: Message) => Promise<unknown>): void {
  process.on('message', (message) => {
    answer(message as Message).then(
      (output) => process.send?.({ answer: output ?? null }),
      (error: unknown) =>
        process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
}

/** Reports an event to the parent process. */
export function tellParent(event: string): void {
  process.send?.({ event })
}
