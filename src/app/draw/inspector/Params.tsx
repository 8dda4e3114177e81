import type { Scenario } from '../../../scenario/model/scenario.ts'
import { DurationField, ListField, NumberField, OptionalField, SelectField } from '../../base/forms/fields.tsx'
import { readDurations, readRates, readSizes, writeDurations, writeRates, writeSizes } from '../../base/forms/listText.ts'
import type { Param } from '../../base/forms/param.ts'
import { SamplesField } from './SamplesField.tsx'

interface Props {
  readonly params: readonly Param[]
  /** The object with the parameters, and its path in the scenario. */
  readonly of: object
  readonly path: string
  /** Puts a value in its place. */
  readonly put: (scenario: Scenario, key: string, value: unknown) => Scenario
}

/** Fields for the parameters of a kind. */
export function Params({ params, of, path, put }: Props) {
  return params.map((param) => (
    <ParamField key={param.key} param={param} value={(of as Record<string, unknown>)[param.key]} path={`${path}.${param.key}`} put={put} />
  ))
}

function ParamField({ param, value, path, put }: { readonly param: Param; readonly value: unknown; readonly path: string; readonly put: Props['put'] }) {
  const { key, label, kind, slider, by, unit, hint, options } = param
  const common = { label, hint, path, change: (scenario: Scenario, next: unknown) => put(scenario, key, next) }
  // `parse` has checked that values have the types in the table.
  switch (kind) {
    case 'number':
      return <NumberField {...common} value={value as number} unit={unit} slider={slider} {...(by === undefined ? {} : { by })} />
    case 'optional':
      return <OptionalField {...common} value={value as number | null} />
    case 'duration':
      return <DurationField {...common} value={value as number} slider={slider} />
    case 'durations':
      return <ListField {...common} value={value as readonly number[]} read={readDurations} write={writeDurations} />
    case 'samples':
      return <SamplesField {...common} value={value as readonly number[]} />
    case 'sizes':
      return <ListField {...common} value={value as readonly number[]} read={readSizes} write={writeSizes} />
    case 'rates':
      return <ListField {...common} value={value as readonly (readonly [number, number])[]} read={readRates} write={writeRates} rows={4} />
    case 'choice':
      return <SelectField {...common} value={value as string} options={options ?? []} />
  }
}
