import { Swatch } from '../ui/Swatch.tsx'

/** The heading of the row of a stage: its colour and its name. */
export function StageHead({ stage, name }: { readonly stage: number; readonly name: string }) {
  return (
    <th scope="row" title={name}>
      <Swatch stage={stage} /> <span dir="auto">{name}</span>
    </th>
  )
}
