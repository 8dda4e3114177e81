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
import { MAX_DECISION, TOO_SLOW } from '../../../runs/remote/studies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import {
  type CodeExplanation,
  fields,
  numberCount,
  type StartCode,
  type StartedCode,
  withoutCode,
} from '../../../scheduler/codePolicy.ts'
import { type Caught, FILE, inOneLine, prelude, wrongAnswer, wrongCode } from './prelude.ts'

/** In pages of 64 KiB. The engine itself takes about half of them and never gets more, so that the code has 8 MB everywhere. */
const MEMORY_PAGES = 256
/** Deep calls end in the sandbox's own error before the stack of any browser is full. */
const STACK_BYTES = 64 * 1024
/** The engine interrupts itself every 10,000 calls and jumps, whatever the clock says. This many take about 50 ms. */
const MAX_INTERRUPTS = 200
/** Where the memory of the engine is full, so are its last bytes. */
const LAST_BYTES = 1 << 16
/** The pattern that marks the shared numbers in the memory of the engine. */
const MARK = [0x5eed_c0de, 0x0ddb_a115, 0x7e57_ab1e, 0x10ca_7e01]

/** The prelude writes this into the first number if the answer is valid. */
const VALID = -1

const outOfMemory: Caught = { name: 'InternalError', message: 'out of memory', stack: '' }

/** Carries a value that the code threw. */
class Thrown extends Error {
  constructor(readonly handle: QuickJSHandle) {
    super()
  }
}

/**
 * Returns a function that starts policies in a sandbox, QuickJS compiled to WebAssembly. It holds one policy at a time. Each begins with
 * the memory of a new engine, byte for byte, so that runs which share a sandbox decide as if each had its own.
 */
export async function openSandbox(): Promise<StartCode> {
  const quickJs = await openEngine()
  const restore = restorer(new Uint8Array(quickJs.getWasmMemory().buffer))
  let before: Sandbox | null = null
  return (policy, scenario) => {
    // The state of an engine that failed midway is unknown.
    if (before?.broken) return withoutCode(policy, scenario)
    if (before !== null) restore()
    before = new Sandbox(quickJs, policy.source)
    return before.start(scenario)
  }
}

function openEngine(): Promise<QuickJSWASMModule> {
  const wasmMemory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES })
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }))
}

/** Returns a function that restores the memory to its present state. */
function restorer(memory: Uint8Array): () => void {
  let used = memory.length
  while (used > 0 && memory[used - 1] === 0) used--
  const kept = memory.slice(0, used)
  return () => {
    memory.set(kept)
    memory.fill(0, used)
  }
}

/** Returns the problem of the code of a policy, with the line; null if there is none. Does not run the code. */
export async function readCode(source: string): Promise<string | null> {
  return new Sandbox(await openEngine(), source).read()
}

/** One policy's own global object, with no clock, no network and nothing of the page. */
class Sandbox {
  private readonly runtime: QuickJSRuntime
  private readonly context: QuickJSContext
  private interrupts = 0
  private began = 0
  /** Whether the engine itself has failed, not the code in it. */
  broken = false

  constructor(
    private readonly quickJs: QuickJSWASMModule,
    private readonly source: string,
  ) {
    this.runtime = quickJs.newRuntime()
    this.runtime.setMaxStackSize(STACK_BYTES)
    this.runtime.setInterruptHandler(() => ++this.interrupts > MAX_INTERRUPTS)
    this.context = this.runtime.newContext({ intrinsics: { ...DefaultIntrinsics, Date: false } })
  }

  /** Returns the code, ready to decide. If it cannot start, each decision returns the reason. */
  start({ seed, stages }: Pick<Scenario, 'seed' | 'stages'>): StartedCode {
    const { context } = this
    const { numbers, buffer } = this.shareNumbers(numberCount(stages.length))
    const json = context.newString(JSON.stringify(stages.map(({ id, name, capacity }) => ({ id, name, capacity }))))
    let problem: string | null = null
    let decide = buffer
    let describe = buffer
    let line = 0
    const ask = (call: () => QuickJSHandle): string | null => {
      problem ??= this.attempt(() => {
        const answer = call()
        // The text of a valid answer need not be read.
        const wrong = numbers[0] === VALID ? null : wrongAnswer(context.getString(answer), line)
        answer.dispose()
        return wrong
      })
      return problem
    }
    ask(() => {
      const begin = this.unwrap(context.evalCode(prelude, 'prelude.js'))
      const host = this.call(begin, context.newNumber(seed), json, buffer)
      decide = context.getProp(host, 'decide')
      describe = context.getProp(host, 'describe')
      const own = this.unwrap(context.evalCode(this.source, FILE, { type: 'module' }))
      return this.call(context.getProp(host, 'start'), own)
    })
    const [, at, lends, describes] = numbers
    line = at
    const wordsFor = (workers: number): CodeExplanation => {
      let text = ''
      numbers[fields.workers] = workers
      const wrong = this.attempt(() => {
        const [kind, ...rest] = this.call(describe)
          .consume((text) => context.getString(text))
          .split('\n')
        text = inOneLine(rest.join('\n'))
        return kind === 'words' ? null : wrongAnswer([kind, ...rest].join('\n'), 0)
      })
      return wrong === null ? { text } : { problem: wrong }
    }
    return {
      numbers,
      lends: problem !== null || lends === 1,
      decide: () => ask(() => this.call(decide)),
      describe: (workers) => (problem === null && describes === 1 ? wordsFor(workers) : null),
    }
  }

  /** Compiles the code. Returns its problem. */
  read(): string | null {
    return this.attempt(() => {
      this.unwrap(this.context.evalCode(this.source, FILE, { type: 'module', compileOnly: true }))
      return null
    })
  }

  /** Runs code within the limits. Returns its result, or what was wrong with the code. */
  private attempt(run: () => string | null): string | null {
    this.interrupts = 0
    this.began = performance.now()
    try {
      const answer = run()
      return this.isLate() ? TOO_SLOW : answer
    } catch (error) {
      if (!(error instanceof Thrown)) this.broken = true
      if (this.isLate() && this.interrupts <= MAX_INTERRUPTS) return TOO_SLOW
      const caught = error instanceof Thrown ? this.textsOf(error.handle) : outOfMemory
      return wrongCode(caught, this.source, this.interrupts > MAX_INTERRUPTS)
    }
  }

  private isLate(): boolean {
    return performance.now() - this.began > MAX_DECISION
  }

  /** Returns numbers that the code and the host both see: the buffer of a value in the sandbox, found in the memory of the engine. */
  private shareNumbers(count: number): { readonly numbers: Float64Array; readonly buffer: QuickJSHandle } {
    const size = Math.max(count, 4)
    const marked = new Int32Array(2 * size)
    marked.set(MARK)
    const buffer = this.context.newArrayBuffer(marked.buffer)
    const memory = this.quickJs.getWasmMemory().buffer
    const words = new Int32Array(memory)
    let at = words.indexOf(MARK[0])
    while (!MARK.every((word, i) => words[at + i] === word)) at = words.indexOf(MARK[0], at + 1)
    return { numbers: new Float64Array(memory, 4 * at, size), buffer }
  }

  /** Returns the texts of what was thrown. Reading them may run code, which the limits still hold. */
  private textsOf(error: QuickJSHandle): Caught {
    const { context } = this
    // Without memory for an error, the engine throws null. So may the code.
    if (context.sameValue(error, context.null))
      return this.wasFull() ? outOfMemory : { name: '', message: 'null', stack: '' }
    const text = (key: string) => {
      try {
        return context
          .getProp(error, key)
          .consume((value) => (context.typeof(value) === 'string' ? context.getString(value) : ''))
      } catch {
        return ''
      }
    }
    const texts =
      context.typeof(error) === 'object' ? { name: text('name'), message: text('message'), stack: text('stack') } : null
    const caught = texts ?? {
      name: '',
      message: context.typeof(error) === 'symbol' ? '' : context.getString(error),
      stack: '',
    }
    error.dispose()
    return caught
  }

  private wasFull(): boolean {
    return new Uint8Array(this.quickJs.getWasmMemory().buffer).subarray(-LAST_BYTES).some((byte) => byte !== 0)
  }

  private call(fn: QuickJSHandle, ...args: QuickJSHandle[]): QuickJSHandle {
    return this.unwrap(this.context.callFunction(fn, this.context.undefined, ...args))
  }

  private unwrap(result: VmCallResult<QuickJSHandle>): QuickJSHandle {
    if (result.error) throw new Thrown(result.error)
    return result.value
  }
}
