import type { Browser } from 'playwright-core'

/** What a bench has measured: figures by name, whose wanted value may stand in brackets. */
export interface BenchRow {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

/** What `scripts/bench.mjs` gives to each bench. */
export interface Tools {
  readonly root: string
  /** Whether to do as little as shows that the bench works. */
  readonly quick: boolean
  launch(options?: object): Promise<Browser>
  /** Returns the address of the built page, or of a page of the benches. */
  serve(html?: string): Promise<string>
}
