import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { vi } from 'vitest'

/** Replaces functions of a module of Node. What imports them sees the new ones. Returns a function that puts the old ones back. */
export function replaceIn<T extends object>(module: T, functions: Partial<T>): () => void {
  const before = Object.fromEntries(Object.keys(functions).map((name) => [name, module[name as keyof T]]))
  Object.assign(module, functions)
  syncBuiltinESMExports()
  return () => {
    Object.assign(module, before)
    syncBuiltinESMExports()
  }
}

/** Notes what is printed and with which status the process would end, and sends signals to this process alone. */
export function terminalHere() {
  const { writeSync } = fs
  let printed = ''
  const write = (file: number, bytes: Uint8Array | string, ...rest: number[]) => {
    if (file !== 1) return writeSync(file, bytes as Uint8Array, ...rest)
    printed += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()
    return Buffer.byteLength(bytes)
  }
  const putBack = replaceIn(fs, { writeSync: write as typeof fs.writeSync })
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never)
  const signals = ['SIGINT', 'SIGTERM'] as const
  const before = signals.map((signal) => process.listeners(signal))
  const own = () =>
    signals.map((signal, k) => process.listeners(signal).filter((listener) => !before[k].includes(listener)))
  return {
    printed: () => printed,
    exits: () => exit.mock.calls.map(([status]) => status),
    /** The commands of this test that listen to each signal. */
    listening: () => own().map(({ length }) => length),
    send(signal: (typeof signals)[number]): void {
      for (const listener of own()[signals.indexOf(signal)]) {
        process.off(signal, listener)
        listener(signal)
      }
    },
    end(): void {
      putBack()
      exit.mockRestore()
      for (const [k, listeners] of own().entries()) for (const listener of listeners) process.off(signals[k], listener)
    },
  }
}
