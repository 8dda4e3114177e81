import { beforeEach, describe, expect, test } from 'vitest'
import { chooseAll, removeStages } from '../../../../src/app/draw/editing/actions.ts'
import {
  canvasStore,
  choose,
  chosenStages,
  chosenText,
  toggleChosen,
} from '../../../../src/app/draw/editing/canvasStore.ts'
import { duplicate, paste } from '../../../../src/app/draw/editing/clipboard.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { type PageHere, pageHere } from '../../../fixtures/pageHere.ts'

let page: PageHere
let session: Session
const state = () => scenarioStore(session).getState()
const names = () => state().draft.stages.map(({ name }) => name)
const links = () => state().draft.links.map((each) => each.join('>'))
const announcement = () => canvasStore(session).getState().announcement
const line = ['Parse', 'Validate', 'Enrich', 'Write']

beforeEach(() => {
  page = pageHere()
  session = createSession()
  openScenario(session, presetOf('rush-hour')?.scenario ?? expect.fail('no preset'))
})

describe('several chosen stages', () => {
  test('are duplicated with the links among them and removed in one step; undo reverts both', () => {
    toggleChosen(session, 'A')
    toggleChosen(session, 'B')
    expect(chosenStages(session)).toEqual(['A', 'B'])
    duplicate(session)
    expect(names()).toEqual([...line, 'Parse 2', 'Validate 2'])
    expect(links()).toContain('E>F')
    expect(state().draftProblems[0].message).toContain('is not reached')
    // Now the copies are chosen.
    expect(chosenStages(session)).toEqual(['E', 'F'])
    expect([announcement(), page.focused.at(-1)]).toEqual(['2 stages added. 2 things to fix.', 'E'])
    removeStages(session, chosenStages(session))
    expect(names()).toEqual(line)
    expect(state().draftProblems).toEqual([])
    undo(session)
    undo(session)
    expect(names()).toEqual(line)
  })

  test('may be all stages, or all but one', () => {
    chooseAll(session)
    expect([chosenStages(session), announcement()]).toEqual([['A', 'B', 'C', 'D'], '4 stages'])
    toggleChosen(session, 'C')
    expect(chosenStages(session)).toEqual(['A', 'B', 'D'])
  })
})

describe('part of a pipeline as text', () => {
  test('has the chosen stages and their links, and is pasted under new names in one step of undo', () => {
    choose(session, ['B', 'C'])
    const text = chosenText(session)
    const { stages, links } = JSON.parse(text)
    expect([stages.map(({ name }: { name: string }) => name), links]).toEqual([['Validate', 'Enrich'], [['B', 'C']]])
    paste(session, text)
    expect(names()).toHaveLength(6)
    undo(session)
    expect(names()).toEqual(line)
  })

  test('may come from another program', () => {
    paste(
      session,
      '{ "stages": [{ "id": "A", "name": "Audit" }, { "id": "B", "name": "Bill" }], "links": [["A", "B"]] }',
    )
    expect(names()).toEqual([...line, 'Audit', 'Bill'])
    expect(links()).toContain('E>F')
  })

  test.each([
    ['Stages, please', '', 'not a part of a pipeline'],
    [
      '{ "stages": [{ "id": "X", "service": { "kind": "constant", "mean": -5 } }] }',
      'stages[0].service.mean',
      'allowed',
    ],
    ['{ "stages": [{ "id": "X" }, { "id": "Y" }], "links": [["X", "Z"]] }', 'links', '"Z" is not a stage'],
  ])('%s is refused, with the place of what is wrong', (text, path, words) => {
    paste(session, text)
    expect(state().problems[0]).toMatchObject({ path, message: expect.stringContaining(words) })
    expect(names()).toEqual(line)
  })

  test('is refused if it would make too many stages', () => {
    openScenario(
      session,
      valid({ version: 1, stages: Array.from({ length: 255 }, (_, i) => ({ id: `s${i}` })), workers: 1 }),
    )
    paste(session, '{ "stages": [{ "id": "X" }, { "id": "Y" }] }')
    expect(state().problems[0].message).toBe('a pipeline has at most 256 stages')
    expect(names()).toHaveLength(255)
  })
})
