import { readFragment } from '../scenario/link/codec.ts'
import type { Parsed, Scenario } from '../scenario/model/scenario.ts'
import { parseText } from '../scenario/parse/parse.ts'
import { Refused } from './command.ts'
import { readText } from './terminal.ts'

/** Returns the scenario of a file or a link. Throws Refused if there is none. */
export function readScenario(subject: string): Scenario {
  const mark = subject.search(/#(json|s|ask)=/)
  if (mark < 0) return accepted(parseText(readFile(subject)))
  const fragment = readFragment(subject.slice(mark))
  if (fragment.found === 'scenario' && fragment.problems.length === 0) return fragment.scenario
  throw new Refused(
    'problems' in fragment
      ? fragment.problems
      : [{ path: 'link', message: fragment.found === 'question' ? 'asks the allocator, which takes the page; allowed: a scenario' : 'holds no scenario' }],
  )
}

function readFile(file: string): string {
  try {
    return readText(file)
  } catch (error) {
    throw new Refused([{ path: file, message: `cannot be read: ${(error as Error).message}` }])
  }
}

/** Returns the scenario that was parsed. Throws Refused with its problems. */
export function accepted(parsed: Parsed): Scenario {
  if ('problems' in parsed) throw new Refused(parsed.problems)
  return parsed.scenario
}
