import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, type QuickJSHandle, type VmCallResult } from 'quickjs-emscripten-core'
import { threadText } from '../../../src/features/stageCode/threads/prelude.ts'

/** What a thread of the frame gets in its first message. */
interface ThreadStart {
  readonly port: MessagePort
  readonly codes: readonly (readonly [stage: number, code: string])[]
  readonly seed: number
}

/** How the prelude names the code of a stage. */
const CODE = 'data:text/javascript;charset=utf-8,'
/** What the prelude finds in a browser's thread, and deletes before any code of a stage is imported. */
const world = `(post, now, timeOrigin, later) => {
  globalThis.self = globalThis
  self.performance = { now, timeOrigin }
  self.setTimeout = later
  const Message = self.MessageEvent = class { #data; constructor(data) { this.#data = data } get data() { return this.#data } }
  const port = { postMessage: post, onmessage: null }
  return { begin(text) { self.onmessage({ data: { port, ...JSON.parse(text) } }) }, hear(...data) { port.onmessage(new Message(data)) } }
}`

/** Runs the prelude and the code of stages in QuickJS, since Node has no frame. The port and the messages are those of a thread of the frame. */
export async function serveStageCode({ port, codes, seed }: ThreadStart): Promise<void> {
  const runtime = (await newQuickJSWASMModuleFromVariant(variant)).newRuntime()
  runtime.setModuleLoader((name) => decodeURIComponent(name.slice(CODE.length)))
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

  /** Calls into the sandbox and does what became due there. */
  function attempt(call: () => VmCallResult<QuickJSHandle>): void {
    unwrap(call()).dispose()
    while (runtime.hasPendingJob()) runtime.executePendingJobs().dispose()
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
