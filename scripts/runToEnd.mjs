// Runs a script of Node in a process group of its own and collects its output.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { cache, root } from './bundle.mjs'

/** The folder for the reports of the test steps. */
export const reports = join(cache, 'reports')

const require = createRequire(import.meta.url)
/** Running processes, and the files that they write to. */
const running = new Map()

/** Returns the script of a command of an installed package, so that this Node can run it without a shell. */
export function commandOf(name, command) {
  const manifest = join(root, 'node_modules', name, 'package.json')
  const { bin } = require(manifest)
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command])
}

/** Runs `command`, a script and its arguments. Returns its exit status and its output, including standard error, in order. */
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

/** Ends all running processes and prints their output so far. */
export function endAll() {
  for (const [child, file] of running) {
    end(child)
    console.log(readFileSync(file, 'utf8'))
  }
}

/** Ends the whole group, so that no process of a step remains. */
function end(child) {
  running.delete(child)
  try {
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}
