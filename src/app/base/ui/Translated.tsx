import { Fragment, type ReactNode } from 'react'
import { fill, piecesIn, type Values } from '../../../language/translate.ts'
import type { RuleComparison } from '../../../measures/decisions/ruleComparison.ts'
import type { SentencePart } from '../../../measures/decisions/speech.ts'
import { policies } from '../../../scenario/model/policies.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { currentPalette } from '../page/theme.ts'

interface Props {
  readonly text: string
  readonly values?: Values
  /** What each tag in the message renders, by its name, beside `b`, `c` and `sub`. */
  readonly tags?: Readonly<Record<string, (inside: ReactNode) => ReactNode>>
}

/** A message with elements in it: `<Translated text="Press <key>K</key>." tags={{ key: (inside) => <kbd>{inside}</kbd> }} />`. */
export function Translated({ text, values = {}, tags }: Props) {
  const all: Props['tags'] = { ...usual, ...tags }
  const parts = fill<ReactNode>(piecesIn(text), values, (inside, tag) => all[tag]?.(inside.map(keyed)) ?? inside.map(keyed))
  return <>{parts.map(keyed)}</>
}

const usual: Props['tags'] = { b: (inside) => <strong>{inside}</strong>, c: (inside) => <code>{inside}</code>, sub: (inside) => <sub>{inside}</sub> }

// Parts of a message never change places.
const keyed = (part: ReactNode, index: number) => <Fragment key={String(index)}>{part}</Fragment>

/** Text in which stages have their colours. */
export function ColouredText({ parts }: { readonly parts: readonly SentencePart[] }) {
  return parts.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name
    <Piece key={i} part={part} />
  ))
}

function Piece({ part: { stage, worker, text } }: { readonly part: SentencePart }) {
  if (stage === undefined && worker === undefined) return text
  return <strong style={stage === undefined ? undefined : { color: stageColour(currentPalette(), stage).text }}>{text}</strong>
}

/** Returns the name of a rule as in the list of policies, with the exponent of `power`. */
export function ruleName({ rule, power }: Pick<RuleComparison, 'rule' | 'power'>): string {
  return rule === 'power' ? `${policies.power.name()} ${power}` : policies[rule].name()
}
