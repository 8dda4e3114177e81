import { useStore } from 'zustand'
import { causesSentence } from '../measures/breakpointSentence.ts'
import type { Cause } from '../measures/breakpoints.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { ruleName } from './ruleName.ts'
import { themeStore } from './theme.ts'
import { Words } from './Words.tsx'

/** What a break was for, in a sentence. */
export function Causes({ scenario, causes }: { readonly scenario: Scenario; readonly causes: readonly Cause[] }) {
  useStore(themeStore)
  return <Words parts={causesSentence(scenario, causes, ruleName)} />
}
