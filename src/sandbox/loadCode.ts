import { msg } from '../language/msg.ts'
import type { StartCode } from '../scheduler/codePolicy.ts'

/** Loads the sandbox for one run. It is fetched when it is first needed. Rejects with an Error in words if it cannot be had. */
export async function loadCode(): Promise<StartCode> {
  try {
    const { openSandbox } = await import('./startCode.ts')
    return await openSandbox()
  } catch (error) {
    throw new Error(`${msg('the sandbox for the code of a policy could not be started')}: ${error instanceof Error ? error.message : ''}`)
  }
}
