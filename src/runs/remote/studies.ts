import type { ConductorOptions } from '../../engine/conductor/conductor.ts'
import type { Environment } from '../../engine/conductor/environment.ts'
import type { Engine, LoadCode } from '../../engine/engine.ts'
import { msg } from '../../language/msg.ts'
import type { DecisionQuestion } from '../../scenario/parse/part.ts'
import type { Preset } from '../../scenario/presets/preset.ts'
import type { Trace } from '../../trace/trace.ts'
import type { RunInput } from './remoteEngine.ts'

/** The jobs and commands that a feature adds to threads and the terminal, as data: `studies.ts` in its folder, a line in `src/studies.ts`. */
export interface Studies {
  readonly key: string
  /** Makes the jobs that the page may give to one thread, by name. */
  readonly jobs?: () => JobTable
  /** Loads the sandbox for the code of policies. */
  readonly loadCode?: LoadCode
  /** Returns an engine for a run that does not use threads of this page; null for other runs. */
  readonly conduct?: (input: RunInput, environment: Environment, options: ConductorOptions) => Engine | null
  /** Presets for the terminal, besides those of the core. */
  readonly presets?: () => Promise<readonly Preset[]>
  /** Returns rows that the command `headless` adds to the figures of a run. */
  readonly figures?: (trace: Trace) => Promise<readonly (readonly [name: string, value: string])[]>
  /** Returns the answer to a question to the allocator, which the command `headless` prints, as sentences or as JSON. */
  readonly answer?: (question: DecisionQuestion, json: boolean) => Promise<string>
}

/** Jobs by name. Each takes one input and returns one result. */
export type JobTable = Readonly<Record<string, (input: never, context: JobContext) => unknown>>

export interface JobContext {
  /** Loads the sandbox for the code of policies; undefined if there is none. */
  readonly loadCode: LoadCode | undefined
  /** Lets the messages in that wait for this thread. */
  letMessagesIn(): Promise<void>
  /** Reports the share that is done, 0 to 1. */
  progress(share: number): void
}

export interface TerminalCommand {
  /** Runs it with the words of its command line. `script`: what its threads run, with `workerData` `{ command, data }`. */
  run(words: readonly string[], script: URL): Promise<void>
  /** What a thread of the command does, with the `data` that it was started with. */
  serve?(data: unknown): void
}

/** Returns the loader of the sandbox for the code of policies, from the feature that has it. */
export function codeLoaderOf(studies: readonly Studies[]): LoadCode | undefined {
  return studies.find(({ loadCode }) => loadCode !== undefined)?.loadCode
}

/** Milliseconds for one decision by the clock: only built-ins that work through long texts and lists need as long. The run fails then. */
export const MAX_DECISION = 2000
export const TOO_SLOW = msg('the code of the policy took too long')
/** How often a thread says that it decides, in milliseconds. */
const SAY = 250

/** Returns the loader of code whose thread says that it is about to decide, and that it is free again: a thread that is stuck says nothing. */
export function sayingSo(loadCode: LoadCode | undefined, say: (deciding: boolean) => void): LoadCode | undefined {
  let busy = false
  let said = 0
  const free = () => {
    busy = false
    say(false)
  }
  return (
    loadCode &&
    (async () => {
      const start = await loadCode()
      return (policy, scenario) => {
        const code = start(policy, scenario)
        const decide = () => {
          const now = performance.now()
          if (!busy) setTimeout(free)
          if (!busy || now - said > SAY) {
            said = now
            say(true)
          }
          busy = true
          return code.decide()
        }
        return { ...code, decide }
      }
    })
  )
}
