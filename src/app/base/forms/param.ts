import type { SliderRange } from './Slider.tsx'

/** A parameter of something that has a kind, such as a service time or a source. */
export interface Param {
  readonly key: string
  readonly label: string
  readonly kind: 'number' | 'optional' | 'duration' | 'durations' | 'samples' | 'sizes' | 'rates' | 'choice'
  readonly slider?: SliderRange | undefined
  /** What an arrow key adds. */
  readonly by?: number | undefined
  readonly unit?: string | undefined
  readonly hint?: string | undefined
  readonly options?: readonly (readonly [value: string, name: string])[]
}
