import { readFragment } from '../scenario/link/codec.ts'
import type { Parsed, Scenario } from '../scenario/model/scenario.ts'
import { parseText } from '../scenario/parse/parse.ts'
import type { DecisionQuestion } from '../scenario/parse/question.ts'
import { Refused } from './command.ts'
import { readText } from './terminal.ts'

/** Returns the scenario of a file or a link, or the question of a link. Throws Refused if there is none. */
export function readSubject(subject: string): { readonly scenario: Scenario } | { readonly question: DecisionQuestion } {
  const mark = subject.search(/#(json|s|ask)=/)
  if (mark < 0) return { scenario: accepted(parseText(readFile(subject))) }
  const fragment = readFragment(subject.slice(mark))
  if (fragment.found === 'scenario' && fragment.problems.length === 0) return { scenario: fragment.scenario }
  if (fragment.found === 'question') return { question: fragment.question }
  throw new Refused('problems' in fragment ? fragment.problems : [{ path: 'link', message: 'holds no scenario' }])
}

/** Returns the scenario of a file or a link. Throws Refused if there is none. */
export function readScenario(subject: string): Scenario {
  const read = readSubject(subject)
  if ('scenario' in read) return read.scenario
  throw new Refused([{ path: 'link', message: 'found a question to the allocator; allowed: a scenario' }])
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
