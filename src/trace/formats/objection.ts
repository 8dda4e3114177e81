/** What is wrong with a row: the column, and a message. */
export interface Objection {
  readonly column: 'time' | 'kind' | 'stage' | 'worker' | 'job' | 'began'
  readonly message: string
}
