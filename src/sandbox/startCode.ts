import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  DefaultIntrinsics,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
  type VmCallResult,
} from 'quickjs-emscripten-core'
import type { Scenario } from '../scenario/model/scenario.ts'
import { numberCount, type StartCode, type StartedCode } from '../scheduler/codePolicy.ts'
import { type Caught, FILE, wrongAnswer, wrongCode } from './codeProblem.ts'
import { prelude } from './prelude.ts'

/** In pages of 64 KiB. The engine itself takes about half of them and never gets more, so that the code has 8 MB everywhere. */
const MEMORY_PAGES = 256
/** Deep calls end in the sandbox's own error before the stack of any browser is full. */
const STACK_BYTES = 64 * 1024
/** The engine interrupts itself every 10,000 calls and jumps, whatever the clock says. So many interrupts take about 50 ms. */
const MOST_INTERRUPTS = 200
/** A pattern by which the numbers are found in the memory of the engine. */
const MARK = [0x5eed_c0de, 0x0ddb_a115, 0x7e57_ab1e, 0x10ca_7e01]

/** The prelude writes it into the first number if nothing is wrong. */
const FINE = -1

const outOfMemory: Caught = { name: 'InternalError', message: 'out of memory', stack: '' }

/** Carries a value that the code threw. */
class Thrown extends Error {
  constructor(readonly handle: QuickJSHandle) {
    super()
  }
}

/** Returns what starts policies in a sandbox: QuickJS compiled to WebAssembly. A run has one, and at most one policy in it at a time. */
export async function openSandbox(): Promise<StartCode> {
  const wasmMemory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES })
  const quickJs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }))
  let before: Sandbox | null = null
  return (policy, scenario) => {
    before?.close()
    const sandbox = new Sandbox(quickJs, policy.source)
    before = sandbox
    return sandbox.start(scenario)
  }
}

/** Returns what is wrong with the code of a policy before it runs: null, or words that name the line. Runs nothing of it. */
export async function readCode(source: string): Promise<string | null> {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES })
  return new Sandbox(await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: memory })), source).read()
}

/** One policy's own global object, with no clock, no network and nothing of the page. */
class Sandbox {
  private readonly runtime: QuickJSRuntime
  private readonly context: QuickJSContext
  private readonly kept: QuickJSHandle[] = []
  private interrupts = 0

  constructor(
    private readonly quickJs: QuickJSWASMModule,
    private readonly source: string,
  ) {
    this.runtime = quickJs.newRuntime()
    this.runtime.setMaxStackSize(STACK_BYTES)
    this.runtime.setInterruptHandler(() => ++this.interrupts > MOST_INTERRUPTS)
    this.context = this.runtime.newContext({ intrinsics: { ...DefaultIntrinsics, Date: false } })
  }

  /** Returns the code, ready to decide. If it cannot start, each decision says why. */
  start({ seed, stages }: Pick<Scenario, 'seed' | 'stages'>): StartedCode {
    const { context } = this
    const { numbers, buffer } = this.shareNumbers(numberCount(stages.length))
    const json = this.keep(context.newString(JSON.stringify(stages.map(({ id, name, capacity }) => ({ id, name, capacity })))))
    let problem: string | null = null
    let decide = buffer
    let line = 0
    const ask = (call: () => QuickJSHandle): string | null => {
      problem ??= this.attempt(() => {
        const answer = call()
        // The prelude leaves this where nothing is wrong; what it returns then need not be read.
        const wrong = numbers[0] === FINE ? null : wrongAnswer(context.getString(answer), line)
        answer.dispose()
        return wrong
      })
      return problem
    }
    ask(() => {
      const begin = this.keep(this.unwrap(context.evalCode(prelude, 'prelude.js')))
      const host = this.keep(this.call(begin, this.keep(context.newNumber(seed)), json, buffer))
      decide = this.keep(context.getProp(host, 'decide'))
      const own = this.keep(this.unwrap(context.evalCode(this.source, FILE, { type: 'module' })))
      return this.call(this.keep(context.getProp(host, 'start')), own)
    })
    const [, at, lends] = numbers
    line = at
    return { numbers, lends: problem !== null || lends === 1, decide: () => ask(() => this.call(decide)) }
  }

  /** Compiles the code. Returns what is wrong. */
  read(): string | null {
    return this.attempt(() => {
      this.unwrap(this.context.evalCode(this.source, FILE, { type: 'module', compileOnly: true }))
      return null
    })
  }

  close(): void {
    try {
      for (const handle of this.kept) if (handle.alive) handle.dispose()
      this.context.dispose()
      this.runtime.dispose()
    } catch {
      // What is left goes with the memory of the run.
    }
  }

  /** Does what may run code, within the limits. Returns its result, or what was wrong with the code. */
  private attempt(run: () => string | null): string | null {
    this.interrupts = 0
    try {
      return run()
    } catch (error) {
      const caught = error instanceof Thrown ? this.textsOf(error.handle) : outOfMemory
      return wrongCode(caught, this.source, this.interrupts > MOST_INTERRUPTS)
    }
  }

  /** Returns numbers that the code and the host both see: the buffer of a value in the sandbox, found in the memory of the engine. */
  private shareNumbers(count: number): { readonly numbers: Float64Array; readonly buffer: QuickJSHandle } {
    const size = Math.max(count, 2)
    const marked = new Int32Array(2 * size)
    marked.set(MARK)
    const buffer = this.keep(this.context.newArrayBuffer(marked.buffer))
    const memory = this.quickJs.getWasmMemory().buffer
    const words = new Int32Array(memory)
    let at = words.indexOf(MARK[0])
    while (!MARK.every((word, i) => words[at + i] === word)) at = words.indexOf(MARK[0], at + 1)
    return { numbers: new Float64Array(memory, 4 * at, size), buffer }
  }

  /** Returns the texts of what was thrown. Reading them may run code, which the limits still hold. */
  private textsOf(error: QuickJSHandle): Caught {
    const { context } = this
    // Without memory for an error, the engine throws null.
    if (context.sameValue(error, context.null)) return outOfMemory
    const text = (key: string) => {
      try {
        return context.getProp(error, key).consume((value) => (context.typeof(value) === 'string' ? context.getString(value) : ''))
      } catch {
        return ''
      }
    }
    const texts = context.typeof(error) === 'object' ? { name: text('name'), message: text('message'), stack: text('stack') } : null
    const caught = texts ?? { name: '', message: context.typeof(error) === 'symbol' ? '' : context.getString(error), stack: '' }
    error.dispose()
    return caught
  }

  private call(what: QuickJSHandle, ...given: QuickJSHandle[]): QuickJSHandle {
    return this.unwrap(this.context.callFunction(what, this.context.undefined, ...given))
  }

  private unwrap(result: VmCallResult<QuickJSHandle>): QuickJSHandle {
    if (result.error) throw new Thrown(result.error)
    return result.value
  }

  private keep(handle: QuickJSHandle): QuickJSHandle {
    this.kept.push(handle)
    return handle
  }
}
