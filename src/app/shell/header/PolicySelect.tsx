import { useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { policyGroups } from '../../../scenario/model/policies.ts'
import type { Policy, PolicyKind } from '../../../scenario/model/scenario.ts'
import { policyOptions, Select, type SelectOption } from '../../base/controls/Select.tsx'
import type { policyLines } from './policyLines.ts'

const ALL = 'all'

interface Props {
  /** Null: its name is secret. */
  readonly policy: Policy | null
  /** What a lesson asks for: these come first. */
  readonly needed: readonly PolicyKind[]
  choose(kind: PolicyKind): void
}

/** The policies: the first five, and the others behind an entry. A browser that can shows what each does in a line below its name. */
export function PolicySelect({ policy, needed, choose }: Props) {
  const select = useRef<HTMLSelectElement>(null)
  const [all, setAll] = useState(false)
  const [lines, setLines] = useState<typeof policyLines>()
  if (policy === null) return <Select value="hidden" options={[['hidden', t('Hidden')]]} choose={() => {}} disabled />
  const isFirst = (kind: PolicyKind) => kind === policy.kind || needed.includes(kind) || policyGroups[0].kinds.includes(kind)
  const shown = policyOptions(policy, needed).filter(([kind]) => all || isFirst(kind))
  const options: SelectOption<PolicyKind | typeof ALL>[] = shown.map(([kind, name, group]) => [kind, name, group, lines?.[kind]()])
  if (!all) options.push([ALL, t('All policies …'), undefined, lines && t('{n} in six groups', { n: policyGroups.flatMap(({ kinds }) => kinds).length })])
  const showAll = () => {
    setAll(true)
    // The choice closes the list. A press may open it again; a script alone may not.
    setTimeout(() => navigator.userActivation?.isActive && select.current?.showPicker?.())
  }
  const load = async () => setLines((await import('./policyLines.ts')).policyLines)
  return (
    <Select
      ref={select}
      value={policy.kind}
      options={options}
      choose={(kind) => (kind === ALL ? showAll() : choose(kind))}
      onFocus={load}
      onPointerEnter={load}
    />
  )
}
