import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, type QuickJSHandle, type VmCallResult } from 'quickjs-emscripten-core'
import { threadText } from './prelude.ts'

/** What a thread of the frame gets in its first message. */
export interface ThreadStart {
  readonly port: MessagePort
  readonly codes: readonly (readonly [stage: number, code: string])[]
  readonly seed: number
}

/** Bytes for the code of all stages in one thread. */
const MEMORY = 128 * 1024 * 1024
/** Deep calls end in the sandbox's own error before the stack of any browser is full. */
const STACK_BYTES = 128 * 1024
/** How the prelude names the code of a stage. */
const CODE = 'data:text/javascript;charset=utf-8,'
/** The conductor ends a thread that says so. */
const BROKEN = '{"broken":true}'

/** What the prelude finds in a browser's thread, and deletes before any code of a stage is imported. */
const world = `(post, now, timeOrigin, later) => {
  globalThis.self = globalThis
  self.performance = { now, timeOrigin }
  self.setTimeout = later
  const Message = self.MessageEvent = class { #data; constructor(data) { this.#data = data } get data() { return this.#data } }
  const port = { postMessage: post, onmessage: null }
  return { begin(text) { self.onmessage({ data: { port, ...JSON.parse(text) } }) }, hear(...data) { port.onmessage(new Message(data)) } }
}`

/**
 * Runs the code of stages in QuickJS, compiled to WebAssembly, in this thread: for browsers that start no thread in a frame without an origin. The port, the
 * prelude and the messages are those of such a thread. Resolves when the thread is open; the caller ends it. Throws an Error if QuickJS cannot be loaded.
 */
export async function serveStageCode({ port, codes, seed }: ThreadStart): Promise<void> {
  const runtime = (await newQuickJSWASMModuleFromVariant(variant)).newRuntime()
  runtime.setMemoryLimit(MEMORY)
  runtime.setMaxStackSize(STACK_BYTES)
  // Addresses of servers lead nowhere: there is nothing that could load them.
  runtime.setModuleLoader((name) =>
    name.startsWith(CODE)
      ? decodeURIComponent(name.slice(CODE.length))
      : { error: new TypeError('a stage imports nothing') },
  )
  const context = runtime.newContext()
  const { undefined: none } = context

  const post = context.newFunction('post', (message) => {
    if (context.typeof(message) === 'string') {
      port.postMessage(context.getString(message))
      return
    }
    const text = context.getProp(message, 0).consume((one) => context.getString(one))
    const buffer = context
      .getProp(message, 1)
      .consume((one) => context.getArrayBuffer(one).consume(({ value }) => value.slice().buffer))
    port.postMessage([text, buffer], [buffer])
  })
  const now = context.newFunction('now', () => context.newNumber(performance.now()))
  const later = context.newFunction('later', (call, milliseconds) => {
    const kept = call.dup()
    setTimeout(
      () => attempt(() => kept.consume(() => context.callFunction(kept, none))),
      context.getNumber(milliseconds),
    )
  })

  function unwrap(result: VmCallResult<QuickJSHandle>): QuickJSHandle {
    if (!result.error) return result.value
    throw new Error(JSON.stringify(result.error.consume((error) => context.dump(error))))
  }

  /** Calls into the sandbox and does what became due there. An engine that failed midway is not called again. */
  function attempt(call: () => VmCallResult<QuickJSHandle>): void {
    try {
      unwrap(call()).dispose()
      while (runtime.hasPendingJob()) runtime.executePendingJobs().dispose()
    } catch {
      port.postMessage(BROKEN)
      port.close()
    }
  }

  const make = unwrap(context.evalCode(world, 'world.js'))
  const thread = unwrap(context.callFunction(make, none, post, now, context.newNumber(performance.timeOrigin), later))
  const [begin, hear] = ['begin', 'hear'].map((name) => context.getProp(thread, name))
  attempt(() => context.evalCode(threadText, 'thread.js'))
  port.onmessage = ({ data }: MessageEvent<readonly (string | ArrayBuffer)[]>) => {
    const parts = data.map((part) =>
      typeof part === 'string' ? context.newString(part) : context.newArrayBuffer(part),
    )
    attempt(() => context.callFunction(hear, none, ...parts))
    for (const part of parts) part.dispose()
  }
  const start = context.newString(JSON.stringify({ codes, seed }))
  attempt(() => context.callFunction(begin, none, start))
}
