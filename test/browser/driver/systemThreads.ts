import { readdirSync, readFileSync } from 'node:fs'

/** WebDriver cannot list the threads of a page. The system can, by the names that engines give to threads and processes. All processes started from here are one group. */
export function threadsOf(page: string, name: string): number {
  const group = groupOf('self')
  const names = readdirSync('/proc')
    .filter(
      (entry) => /^\d+$/.test(entry) && groupOf(entry) === group && textOf(`/proc/${entry}/comm`).startsWith(page),
    )
    .flatMap((process) => tasksOf(process).map((task) => textOf(`/proc/${process}/task/${task}/comm`)))
  return names.filter((each) => each.startsWith(name)).length
}

function tasksOf(process: string): string[] {
  try {
    return readdirSync(`/proc/${process}/task`)
  } catch {
    return []
  }
}

function groupOf(process: string): number {
  // The name in brackets may contain any character.
  return Number(
    textOf(`/proc/${process}/stat`)
      .replace(/^.*\) /, '')
      .split(' ')[2],
  )
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
