import { useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { MAX_SHORT, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { NumberParam, Param } from '../../../scenario/model/params.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { meanings } from '../../../scenario/text/meanings.ts'
import { duration } from '../../../views/drawing/format.ts'
import { type Bound, inside, useDraft } from '../../base/forms/bound.ts'
import {
  Choice,
  DurationField,
  Field,
  type Labelled,
  ListField,
  messageAttributes,
  NumberField,
  OptionalField,
  SelectField,
} from '../../base/forms/fields.tsx'
import type { SliderRange } from '../../base/forms/Slider.tsx'
import {
  readDurations,
  readRates,
  readSamples,
  readSizes,
  readValues,
  type SampleUnit,
  sampleUnits,
  writeDurations,
  writeRates,
  writeSizes,
  writeValues,
} from '../../base/forms/typedText.ts'
import { linkTo } from '../../session/address.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'

/** Fields for the parameters of a kind, which `of` has under their keys. */
export function ParamFields<T extends object>({
  params,
  of,
}: {
  readonly params: readonly (readonly [key: string, param: Param])[]
  readonly of: Bound<T>
}) {
  return params.map(([key, param]) => (
    <ParamField key={key} name={key} param={param} bound={inside(of as Bound<Record<string, unknown>>, key)} />
  ))
}

function ParamField({
  name,
  param,
  bound,
}: {
  readonly name: string
  readonly param: Param
  readonly bound: Bound<unknown>
}) {
  // `parse` has checked that values have the types of their parameters.
  const labelled = <T,>(): Labelled<T> => ({
    ...(bound as Bound<T>),
    label: param.label?.() ?? name,
    hint: param.hint?.() ?? (param.label ? undefined : meanings()[`policy.${name}`]),
  })
  switch (param.is) {
    case 'samples':
      return <SamplesField {...labelled<readonly number[]>()} />
    case 'times':
      return <ListField {...labelled<readonly number[]>()} read={readDurations} write={writeDurations} />
    case 'sizes':
      return <ListField {...labelled<readonly number[]>()} read={readSizes} write={writeSizes} />
    case 'rates':
      return (
        <ListField
          {...labelled<readonly (readonly [number, number])[]>()}
          read={readRates}
          write={writeRates}
          rows={4}
        />
      )
    case 'values':
      return <ListField {...labelled<readonly unknown[]>()} read={readValues} write={writeValues} rows={6} />
    case 'choice':
      return (
        <SelectField
          {...labelled<string>()}
          options={Object.entries(param.options).map(([value, { name }]) => [value, name()] as const)}
        />
      )
    case 'micros':
      return <DurationField {...labelled<number>()} slider={sliderOf(param)} />
    case 'whole':
    case 'real':
      if (param.orNone) return <OptionalField {...labelled<number | null>()} />
      return <NumberField {...labelled<number>()} unit={param.unit?.()} by={param.by} slider={sliderOf(param)} />
    default:
      return null
  }
}

function sliderOf({ is, slider }: NumberParam): SliderRange | undefined {
  if (slider === undefined) return undefined
  const [min, max, scale] = slider
  return { min, max: max === 'workers' ? MAX_WORKERS : max, linear: scale === 'linear', whole: is !== 'real' }
}

/** With more values than this the field shows a summary, and a paste replaces all. */
const MAX_WRITTEN = 400
/** The field holds at most this many characters: 100,000 lines would block the page for seconds. */
const MAX_SHOWN = 20_000

/** A field for measured times: pasted in any unit, and editable if there are few. */
function SamplesField({ label, ...bound }: Bound<readonly Micros[]> & { readonly label: string }) {
  const { value } = bound
  const [unit, setUnit] = useState<SampleUnit>('ms')
  const draft = useDraft(bound, (text) => readSamples(text, unit), written)
  const id = useId()
  const many = value.length > MAX_WRITTEN
  const text = draft.text.length > MAX_SHOWN || (many && draft.text === written(value)) ? '' : draft.text
  const hint = t('{n, plural, one {# value} other {# values}}', { n: value.length })
  const pasted = useRef<{ readonly text: string; readonly unit: SampleUnit } | null>(null)
  const type = (next: string) => {
    pasted.current = { text: next, unit }
    draft.type(next)
  }
  // Another unit reads the pasted text again, unless the times have changed since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the unit has changed
  useEffect(() => {
    if (pasted.current === null || pasted.current.unit === unit) return
    const before = readSamples(pasted.current.text, pasted.current.unit)
    if (draft.message !== null || ('value' in before && written(before.value) === written(value)))
      type(pasted.current.text)
  }, [unit])
  return (
    <>
      <Field id={id} label={label} message={draft.message} hint={hint} wide>
        <textarea
          {...messageAttributes(id, draft.message, hint)}
          rows={4}
          spellCheck={false}
          autoComplete="off"
          placeholder={
            many
              ? t('{from} to {to}', {
                  from: duration(value.reduce((a, b) => Math.min(a, b), Infinity)),
                  to: duration(value.reduce((a, b) => Math.max(a, b), 0)),
                })
              : t('Paste times: 12.5, 4 ms, 250 us')
          }
          value={text}
          onChange={(event) => type(event.target.value)}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            if (text.length <= MAX_SHOWN) return
            event.preventDefault()
            type(text)
          }}
          onBlur={draft.leave}
        />
      </Field>
      <Choice
        label={t('Without unit')}
        value={unit}
        options={Object.entries(sampleUnits()) as [SampleUnit, string][]}
        choose={setUnit}
      />
      {value.length > MAX_WRITTEN && <LongLink of={value} />}
    </>
  )
}

/** A warning if the scenario's link is too long. The length is calculated after the rest is on the screen. */
function LongLink({ of }: { readonly of: readonly Micros[] }) {
  const session = useSession()
  const [length, setLength] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest of the scenario hardly counts
  useEffect(() => {
    const timer = setTimeout(
      () => setLength(linkTo(session.address, toShortFragment(scenarioStore(session).getState().whole)).length),
      300,
    )
    return () => clearTimeout(timer)
  }, [of])
  return (
    <p className="form-error" aria-live="polite" hidden={length <= MAX_SHORT}>
      {t('Too long for a link. Save it as a file.')}
    </p>
  )
}

const texts = new WeakMap<readonly Micros[], string>()

/** Returns the times as text; for very many, a summary of a few numbers. */
function written(values: readonly Micros[]): string {
  const known = texts.get(values)
  if (known !== undefined) return known
  const text =
    values.length <= MAX_WRITTEN
      ? writeDurations(values)
      : `${values.length} ${values.reduce((sum, each, i) => (sum * 31 + each + i) % 4_294_967_291, 0)}`
  texts.set(values, text)
  return text
}
