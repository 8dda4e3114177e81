/** Keys and what each does. */
export function KeyLines({ lines }: { readonly lines: readonly { readonly keys: string; readonly what: string }[] }) {
  return (
    <dl>
      {lines.map(({ keys, what }) => (
        <div key={keys}>
          <dt>
            {keys.split(' ').map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  )
}
