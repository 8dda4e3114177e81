import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { NumberParam, Param } from '../../../scenario/model/params.ts'
import { type Bound, inside } from '../../base/forms/bound.ts'
import { DurationField, type Labelled, ListField, NumberField, OptionalField, SelectField } from '../../base/forms/fields.tsx'
import type { SliderRange } from '../../base/forms/Slider.tsx'
import { readDurations, readRates, readSizes, writeDurations, writeRates, writeSizes } from '../../base/forms/typedText.ts'
import { SamplesField } from './SamplesField.tsx'

/** Fields for the parameters of a kind, which `of` has under their keys. A parameter of each stage is bounded by how many there are. */
export function ParamFields<T extends object>(props: {
  readonly params: readonly (readonly [key: string, param: Param])[]
  readonly of: Bound<T>
  readonly stages?: number
}) {
  const { params, of, stages = 1 } = props
  return params.map(([key, param]) => <ParamField key={key} param={param} bound={inside(of as Bound<Record<string, unknown>>, key)} stages={stages} />)
}

interface FieldProps {
  readonly param: Param
  readonly bound: Bound<unknown>
  readonly stages: number
}

function ParamField({ param, bound, stages }: FieldProps) {
  // `parse` has checked that values have the types of their parameters.
  const labelled = <T,>(): Labelled<T> => ({ ...(bound as Bound<T>), label: param.label?.() ?? '', hint: param.hint?.() })
  switch (param.is) {
    case 'samples':
      return <SamplesField {...labelled<readonly number[]>()} />
    case 'times':
      return <ListField {...labelled<readonly number[]>()} read={readDurations} write={writeDurations} />
    case 'sizes':
      return <ListField {...labelled<readonly number[]>()} read={readSizes} write={writeSizes} />
    case 'rates':
      return <ListField {...labelled<readonly (readonly [number, number])[]>()} read={readRates} write={writeRates} rows={4} />
    case 'choice':
      return <SelectField {...labelled<string>()} options={Object.entries(param.options).map(([value, { name }]) => [value, name()] as const)} />
    case 'micros':
      return <DurationField {...labelled<number>()} slider={sliderOf(param, stages)} />
    case 'whole':
    case 'real':
      if (param.orNone) return <OptionalField {...labelled<number | null>()} />
      return <NumberField {...labelled<number>()} unit={param.unit?.()} by={param.by} slider={sliderOf(param, stages)} />
    default:
      return null
  }
}

function sliderOf({ is, slider, eachStage }: NumberParam, stages: number): SliderRange | undefined {
  if (slider === undefined) return undefined
  const [min, max, scale] = slider
  const most = max === 'workers' ? Math.floor(MAX_WORKERS / (eachStage ? stages : 1)) : max
  return { min, max: most, linear: scale === 'linear', whole: is !== 'real' }
}
