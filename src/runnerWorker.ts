// The entry `apportion/worker` of the package: what a thread loads.
import type { FromThread } from './features/runner/protocol.ts'
import { type StageFunctions, serveOn, type ThreadPort } from './features/runner/serve.ts'

export { transfer } from './features/runner/protocol.ts'
export type { StageContext, StageFunctions } from './features/runner/serve.ts'

/** Serves these functions to the pipeline that started this thread, and returns them, for their type. Call it once, in the module that `worker` starts. */
export function serve<F extends StageFunctions>(functions: F): F {
  if (typeof functions !== 'object' || functions === null)
    throw new TypeError('serve: allowed is an object of functions, such as { parse: (line) => JSON.parse(line) }.')
  serveOn(portOfThread(), functions)
  return functions
}

function portOfThread(): ThreadPort {
  const node = globalThis.process?.getBuiltinModule?.('node:worker_threads')
  if (node?.parentPort) {
    const { parentPort } = node
    return {
      post: (message, transfer) => parentPort.postMessage(message, transfer as never[]),
      listen(heard, unreadable) {
        parentPort.on('message', heard)
        parentPort.on('messageerror', unreadable)
      },
    }
  }
  const scope = globalThis as unknown as {
    postMessage?(message: FromThread, transfer: readonly Transferable[]): void
    addEventListener(type: 'message' | 'messageerror', heard: (event: MessageEvent) => void): void
    document?: unknown
  }
  if (scope.document !== undefined || scope.postMessage === undefined)
    throw new Error('serve() belongs into the module of a thread: start it by `worker: () => new Worker(...)`.')
  return {
    post: (message, transfer) => scope.postMessage?.(message, transfer),
    listen(heard, unreadable) {
      scope.addEventListener('message', ({ data }) => heard(data))
      scope.addEventListener('messageerror', unreadable)
    },
  }
}
