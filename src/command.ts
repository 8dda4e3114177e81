import { isMainThread, workerData } from 'node:worker_threads'
import { commands } from './commands.ts'
import { packageOf } from './headless/builtPage.ts'
import { print, runCommand } from './headless/command.ts'

const here = new URL(import.meta.url)

// The command line is the name of a command and its arguments; without a name, the page opens. A command may start threads, which run this
// script too.
if (isMainThread)
  await runCommand(async (words) => {
    if (words.includes('--version')) return print(packageOf(here).version)
    const [name, ...own] = words
    const named = name !== undefined && Object.hasOwn(commands, name)
    const command = await commands[named ? name : 'open']()
    await command.run(named ? own : words, here)
  })
else {
  const { command, data } = workerData as { readonly command: string; readonly data: unknown }
  ;(await commands[command]()).serve?.(data)
}
