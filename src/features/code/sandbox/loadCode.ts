import { msg } from '../../../language/msg.ts'
import type { StartCode } from '../../../scheduler/codePolicy.ts'

/** Fetches the code of the sandbox. */
const startCode = () => import('./startCode.ts')

/** Loads the sandbox for one run. Rejects with an Error for the record if it cannot be loaded. */
export function loadCode(): Promise<StartCode> {
  return withMessage(async () => (await startCode()).openSandbox())
}

/** Returns a loader that opens one sandbox for many runs: opening one takes as long as many small runs. */
export function loadSharedCode(): () => Promise<StartCode> {
  let opened: Promise<StartCode> | null = null
  return () => {
    opened ??= loadCode()
    return opened
  }
}

/** Returns the problem of the code of a policy; null if there is none. Does not run the code. */
export function problemOfCode(source: string): Promise<string | null> {
  return withMessage(async () => (await startCode()).readCode(source))
}

async function withMessage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    throw new Error(
      `${msg('the sandbox for the code of a policy could not be started')}: ${error instanceof Error ? error.message : ''}`,
    )
  }
}
