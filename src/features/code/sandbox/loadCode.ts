import { msg } from '../../../language/msg.ts'
import type { StartCode } from '../../../scheduler/codePolicy.ts'

/** Loads the sandbox for one run. It is fetched when it is first needed. Rejects with an Error in words if it cannot be had. */
export function loadCode(): Promise<StartCode> {
  return inWords(async () => (await import('./startCode.ts')).openSandbox())
}

/** Returns what loads the sandbox once, for runs that follow each other: to open one takes as long as many small runs. */
export function codeForManyRuns(): () => Promise<StartCode> {
  let opened: Promise<StartCode> | null = null
  return () => {
    opened ??= loadCode()
    return opened
  }
}

/** Returns what is wrong with the code of a policy before it runs: null, or words for the record. Runs nothing of it. */
export function problemOfCode(source: string): Promise<string | null> {
  return inWords(async () => (await import('./startCode.ts')).readCode(source))
}

async function inWords<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    throw new Error(`${msg('the sandbox for the code of a policy could not be started')}: ${error instanceof Error ? error.message : ''}`)
  }
}
