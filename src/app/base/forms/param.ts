import type { SliderRange } from './Slider.tsx'

/** One number, time, list or word of a thing that has a kind: a service time, a source. */
export interface Param {
  readonly key: string
  readonly label: string
  readonly kind: 'number' | 'optional' | 'duration' | 'durations' | 'samples' | 'sizes' | 'rates' | 'choice'
  readonly slider?: SliderRange
  /** What an arrow key adds to a number. */
  readonly by?: number
  readonly unit?: string
  readonly hint?: string
  readonly options?: readonly (readonly [value: string, name: string])[]
}
