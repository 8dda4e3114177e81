import { useStore } from 'zustand'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { roomRefusal } from '../../session/run/runSentences.ts'
import { runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import { adviceFor } from './advice.ts'

/** What to know before the scenario is run. */
export function Advice({ scenario }: { readonly scenario: Scenario }) {
  const { engine, room } = useStore(runStore(useSession()))
  if (engine !== 'room') return adviceFor(scenario, engine, navigator.hardwareConcurrency || 1)
  return roomRefusal(room) ?? adviceFor(scenario, engine, room?.seats ?? 0)
}
