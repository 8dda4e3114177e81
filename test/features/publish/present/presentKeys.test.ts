import { expect, test } from 'vitest'
import { createSession } from '../../../../src/app/session/session.ts'
import { heldKeyHelp } from '../../../../src/app/watch/shortcuts/keyboard.ts'
import { timelineCommands } from '../../../../src/app/watch/timeline/timelineCommands.ts'
import { playbackCommands } from '../../../../src/app/watch/transport/playbackCommands.ts'
import {
  isKeyOfPage,
  keyToRun,
  keyToShown,
  presenterKeys,
  shownFirst,
} from '../../../../src/features/publish/present/presentControls.ts'

test('in a presentation the keys of the playback and the timeline do the same, or have an entry in its own list', () => {
  const session = createSession()
  const keys = [...playbackCommands(session), ...timelineCommands(session)].flatMap(({ key }) =>
    key === undefined || key.ctrl ? [] : [key.key],
  )
  const held = heldKeyHelp(session).flatMap(({ help }) => help?.keys.toLowerCase().split(' ') ?? [])
  const listed = presenterKeys().flatMap(([names]) => names.toLowerCase().split(' '))
  // A presentation has no search; Space and Escape work as on the page.
  for (const key of [...keys, ...held].filter((each) => !['/', ' ', 'Escape', 'z'].includes(each))) {
    expect([key, isKeyOfPage(key), keyToShown(key, shownFirst), keyToRun(session, key)]).toEqual([
      key,
      true,
      null,
      null,
    ])
    expect(listed).toContain(key)
  }
})
