import { useStore } from 'zustand'
import { type BreakCause, causesSentence } from '../../../measures/decisions/breakpoints.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { themeStore } from '../../base/page/theme.ts'
import { ColouredText, ruleName } from '../../base/ui/Translated.tsx'

/** Why the playback stopped, in a sentence. */
export function Causes({ scenario, causes }: { readonly scenario: Scenario; readonly causes: readonly BreakCause[] }) {
  useStore(themeStore)
  return <ColouredText parts={causesSentence(scenario, causes, ruleName)} />
}
