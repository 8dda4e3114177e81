// Runs a script of Node in a process group of its own and collects what it says.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { cache, root } from './bundle.mjs'

/** Where the steps of the tests keep what they report. */
export const reports = join(cache, 'reports')

const require = createRequire(import.meta.url)
/** Processes that run, and the files that they write to. */
const running = new Map()

/** Returns the script behind a command of an installed package, so that this Node can run it without a shell. */
export function commandOf(name, command) {
  const manifest = join(root, 'node_modules', name, 'package.json')
  const { bin } = require(manifest)
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command])
}

/** Runs `command`, a script and its arguments. Returns its exit status and all it wrote, to standard error too, in order. */
export function runToEnd(name, command, env, minutes) {
  mkdirSync(reports, { recursive: true })
  const file = join(reports, `${name}.log`)
  const log = openSync(file, 'w')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...env },
      detached: process.platform !== 'win32',
    })
    running.set(child, file)
    const settle = (status, words = '') => {
      clearTimeout(watchdog)
      end(child)
      closeSync(log)
      resolve({ status, output: `${readFileSync(file, 'utf8')}${words}` })
    }
    const watchdog = setTimeout(() => settle(1, `\nGave up after ${minutes} minutes.`), minutes * 60_000)
    child.on('error', (error) => settle(1, error.message))
    child.on('exit', (code) => running.has(child) && settle(code ?? 1))
  })
}

/** Ends all that runs and prints what it said so far. */
export function endAll() {
  for (const [child, file] of running) {
    end(child)
    console.log(readFileSync(file, 'utf8'))
  }
}

/** Ends the whole group, so that nothing a step started outlives it. */
function end(child) {
  running.delete(child)
  try {
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}
