import { expect, test } from 'vitest'
import { createSpeech, sentenceText } from '../../../src/measures/decisions/speech.ts'
import { targetChanges, targetReason, targetSentence } from '../../../src/measures/decisions/targetWords.ts'
import type { PolicyKind } from '../../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const speech = createSpeech(
  scenarioWith({
    source: { kind: 'batch', jobs: 1 },
    stages: ['Parse', 'Write', 'Send', 'Log', 'Keep'].map((name, s) => ({ id: 'ABCDE'[s], name })),
    workers: 1,
  }),
)

/** Stages as `before>after:waiting`, an exclamation mark for done. */
function targetText(policy: PolicyKind, text: string): string {
  const stages = text.split(' ').map((each) => {
    const [seatsBefore, seatsAfter, waiting] = each.split(/[>:!]+/).map(Number)
    return { seatsBefore, seatsAfter, waiting, done: each.includes('!') }
  })
  const changes = targetChanges(stages)
  return sentenceText(targetSentence(policy, changes, targetReason({ policy, stages }, changes), speech)).trimEnd()
}

test('changed targets are listed, higher ones first', () => {
  expect(targetText('leastScore', '1>1:4 2>2:1')).toBe('The targets stay the same.')
  expect(targetText('fixed', '1>1:4 0>2:1')).toBe('Target for Write: 0 to 2. The policy fixes the targets.')
  expect(targetText('leastScore', '3>2:4 1>1:3 0>1:1')).toBe(
    'Targets: Send 0 to 1 and Parse 3 to 2. By quotient, Send comes before Parse.',
  )
})

test('the reason is that stages are done, otherwise that all jobs are at one stage, otherwise a known quotient', () => {
  const end = (policy: PolicyKind, text: string) => targetText(policy, text).replace(/^.*\d\. /, '')
  expect(end('leastScore', '2>0!0 0>2:9')).toBe('Parse is done.')
  expect(end('leastScore', '2>0!0 1>0!0 0>3:9 0>0:9')).toBe('Parse and Write are done.')
  expect(end('leastScore', '1>0!0 1>0!0 1>0!0 1>0!0 0>4:9')).toBe('4 stages are done.')
  expect(end('leastScore', '2>0!0 2>1:3 0>3:9')).toBe('The highest quotients get the workers.')
  expect(end('leastScore', '2>1:0 0>1:9')).toBe('All waiting jobs are at Write.')
  expect(end('preallocate', '2>1:0 0>1:9')).toBe('By quotient, Write comes before Parse.')
  expect(end('hamilton', '2>1:0 0>1:9')).toBe('All waiting jobs are at Write.')
  expect(end('hamilton', '2>1:1 0>1:9')).toBe('Each target is a share of the votes, rounded.')
  expect(end('jefferson', '2>1:1 0>1:9')).toBe('By quotient, Write comes before Parse.')
  expect(end('jefferson', '2>1:1 2>1:1 0>2:9')).toBe('The highest quotients get the workers.')
  expect(end('jefferson', '4>1:1 0>1:9 0>2:9')).toBe('The highest quotients get the workers.')
  expect(end('jefferson', '0>1:9 1>1:1')).toBe('The highest quotients get the workers.')
  expect(end('fixed', '2>0!0 0>2:9')).toBe('The policy fixes the targets.')
})
