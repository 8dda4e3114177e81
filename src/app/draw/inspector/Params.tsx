import type { ComponentType } from 'react'
import { type Bound, inside } from '../../base/forms/bound.ts'
import { DurationField, type Labelled, ListField, NumberField, OptionalField, SelectField } from '../../base/forms/fields.tsx'
import { readDurations, readRates, readSizes, writeDurations, writeRates, writeSizes } from '../../base/forms/listText.ts'
import type { Param } from '../../base/forms/param.ts'
import { SamplesField } from './SamplesField.tsx'

type Listed<T> = Labelled<readonly T[]>

/** The field of each kind of parameter. */
const fields = {
  number: NumberField,
  optional: OptionalField,
  duration: DurationField,
  durations: (field: Listed<number>) => <ListField {...field} read={readDurations} write={writeDurations} />,
  samples: SamplesField,
  sizes: (field: Listed<number>) => <ListField {...field} read={readSizes} write={writeSizes} />,
  rates: (field: Listed<readonly [number, number]>) => <ListField {...field} read={readRates} write={writeRates} rows={4} />,
  choice: SelectField,
}

/** Fields for the parameters of a kind, which `of` has under their keys. */
export function Params<T extends object>({ params, of }: { readonly params: readonly Param[]; readonly of: Bound<T> }) {
  return params.map(({ key, kind, ...param }) => {
    // `parse` has checked that values have the types of their fields.
    const ParamField = fields[kind] as ComponentType<Omit<Param, 'key' | 'kind'> & Bound<unknown>>
    return <ParamField key={key} {...param} {...inside(of as Bound<Record<string, unknown>>, key)} />
  })
}
