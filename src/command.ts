import { isMainThread, workerData } from 'node:worker_threads'
import { commands } from './commands.ts'
import { runCommand } from './headless/command.ts'

// The command line is the name of a command and its arguments. A command may start threads, which run this script too.
if (isMainThread)
  await runCommand(async ([name, ...words]) => {
    if (!(name in commands)) throw new Error(`There is no command ${name}.`)
    await (await commands[name]()).run(words, new URL(import.meta.url))
  })
else {
  const { command, data } = workerData as { readonly command: string; readonly data: unknown }
  ;(await commands[command]()).serve?.(data)
}
